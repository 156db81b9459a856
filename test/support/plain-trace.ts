import type {Trace} from '../../src/core/trace/trace.js';

/** Returns all contents of a trace, with its texts as a list, to compare two traces. */
export function plainTrace({strings, ...rest}: Trace): Record<string, unknown> {
  return {...rest, strings: Array.from({length: strings.length}, (_, index) => strings.get(index))};
}
