import {say} from '../base/say.js';
import {shortened} from '../format/shortened.js';

/** The message if "Go to source" finds no line for a range. */
export function noLineOpens(name: string): string {
  return say('No file of this workspace opens "{0}".', shortened(name));
}

/** The message if the workspace has not the file of a finding. */
export function noSuchFile(file: string): string {
  return `This workspace has no file "${shortened(file)}".`;
}

/** The message if the line that launched an operation is unknown. */
export function noLineLaunches(operation: string): string {
  return say(
    'No line of this workspace is known to launch "{0}": a tagged range around its call (NVTX, record_function) would tell.',
    shortened(operation),
  );
}
