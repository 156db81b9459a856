import {fileStamp} from '../../src/importers/files/file-identity.js';
import type {OpenedFile} from '../../src/importers/slice-arguments.js';

/** Returns a file as an open profile holds it. */
export async function opened(path: string): Promise<OpenedFile> {
  return {path, stamp: await fileStamp(path), life: new AbortController().signal};
}
