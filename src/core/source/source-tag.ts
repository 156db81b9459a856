import type {NamePattern} from '../names/name-pattern.js';

/** The calls that open a range, by the name under which their documentation knows them. */
export type TagApi =
  | 'record_function'
  | 'torch.cuda.nvtx.range'
  | 'torch.cuda.nvtx.range_push'
  | 'torch.cuda.nvtx.range_start'
  | 'emit_nvtx'
  // The Python package nvtx.
  | 'nvtx.annotate'
  | 'nvtx.push_range'
  | 'nvtx.start_range'
  | 'jax.profiler.TraceAnnotation'
  | 'jax.profiler.StepTraceAnnotation'
  | 'jax.profiler.annotate_function'
  | 'jax.named_scope'
  | 'proton.scope'
  | 'proton.enter_scope'
  // C++ and CUDA; the widths of characters are left out.
  | 'nvtxRangePush'
  | 'nvtxRangeStart'
  | 'nvtx3::scoped_range'
  | 'nvtx3::unique_range'
  | 'nvtx3::start_range'
  | 'NVTX3_FUNC_RANGE'
  | 'RECORD_FUNCTION';

/** A place in a source text that opens a tagged range. */
export interface SourceTag {
  readonly api: TagApi;
  /** What the range will be called, in a trace's spelling (`domain:text` in NVTX); null where the text does not tell. */
  readonly pattern: NamePattern | null;
  /** Line of the call, from 1. */
  readonly line: number;
  /**
   * Last line, from 1, of what runs while the range is open: the `with` body, the decorated function, all until the
   * call that closes it, the rest of the C++ scope. `line` itself where the text does not tell.
   */
  readonly endLine: number;
  /** Offset of the call in UTF-16 units, as editors count. */
  readonly offset: number;
}
