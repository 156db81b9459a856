import {shortened} from '../format/shortened.js';

/** The message if "Go to source" finds no line for a range. */
export function noLineOpens(name: string): string {
  return `No file of this workspace opens "${shortened(name)}".`;
}

/** The message if the workspace has not the file of a finding. */
export function noSuchFile(file: string): string {
  return `This workspace has no file "${shortened(file)}".`;
}

/** The message if the line that launched an operation is unknown. */
export function noLineLaunches(operation: string): string {
  return `No line of this workspace is known to launch "${shortened(operation)}": a tagged range around its call (NVTX, record_function) would tell.`;
}
