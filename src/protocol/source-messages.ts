import type {FileContents} from '../core/source/source-index.js';

/** What was found in a file; null for one that is gone or cannot be read. */
export interface ReadFile {
  readonly path: string;
  readonly contents: FileContents | null;
}

/** What the extension host asks of the worker that reads sources. */
export interface SourceRequests {
  /** Reads files, and reports what is in them a few at a time, in their order. */
  'sources/read': {params: {paths: readonly string[]}; result: undefined; progress: readonly ReadFile[]};
}
