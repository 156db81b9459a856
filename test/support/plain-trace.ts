import type {Trace} from '../../src/core/trace/trace.js';

/** All that a trace holds, its texts as a list: what tests compare two traces by. */
export function plainTrace({strings, ...rest}: Trace): Record<string, unknown> {
  return {...rest, strings: Array.from({length: strings.length}, (_, index) => strings.get(index))};
}
