import {shortened} from '../format/shortened.js';

/** What people are told where "Go to source" finds no line for a range. */
export function noLineOpens(name: string): string {
  return `No file of this workspace opens "${shortened(name)}".`;
}

/** What people are told where no line is known that launched an operation. */
export function noLineLaunches(operation: string): string {
  return `No line of this workspace is known to launch "${shortened(operation)}": a tagged range around its call (NVTX, record_function) would tell.`;
}
