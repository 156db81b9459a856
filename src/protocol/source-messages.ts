import type {FileContents} from '../core/source/source-index.js';

/** What was found in a file; null if the file is gone or unreadable. */
export interface ReadFile {
  readonly path: string;
  readonly contents: FileContents | null;
}

/** Requests from the extension host to the worker that reads sources. */
export interface SourceRequests {
  /** Reads files, and reports what is in them a few at a time, in their order. */
  'sources/read': {params: {paths: readonly string[]}; result: undefined; progress: readonly ReadFile[]};
}
