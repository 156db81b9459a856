import type {NamePattern} from '../names/name-pattern.js';

/** The calls that open a range, by their documented names. */
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
  // C++ and CUDA, without the variants for character widths.
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
  /** The name of the range, as a trace spells it (`domain:text` in NVTX); null if the text does not determine it. */
  readonly pattern: NamePattern | null;
  /** Line of the call, from 1. */
  readonly line: number;
  /**
   * Last line, from 1, of the code that runs while the range is open: the `with` body, the decorated function,
   * everything up to the closing call, or the rest of the C++ scope. Equal to `line` if the text does not determine it.
   */
  readonly endLine: number;
  /** Offset of the call in UTF-16 units, as editors count. */
  readonly offset: number;
}
