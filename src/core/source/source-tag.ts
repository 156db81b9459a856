import type {NamePattern} from './name-pattern.js';

/** The calls that open a range, by the name under which their documentation knows them. */
export type TagApi = 'record_function' | 'torch.cuda.nvtx.range' | 'torch.cuda.nvtx.range_push';

/** A place in a source text that opens a tagged range. */
export interface SourceTag {
  readonly api: TagApi;
  /** What the range will be called; null where the text alone does not tell. */
  readonly pattern: NamePattern | null;
  /** Line of the call, from 1. */
  readonly line: number;
  /** Offset of the call in UTF-16 units, as editors count. */
  readonly offset: number;
}
