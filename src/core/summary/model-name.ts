import {classOfModule, simpleClassName} from '../source/module-forward.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Returns the class of the module whose calls take the most time, which is the outermost; null without modules. */
export function modelName({slices, strings}: Trace): string | null {
  const ns = new Map<number, number>();
  for (let row = 0; row < slices.length; row++) {
    if (slices.kind[row] !== kindIndex.module) continue;
    ns.set(slices.name[row], (ns.get(slices.name[row]) ?? 0) + slices.durationNs[row]);
  }
  const most = [...ns].sort(([, a], [, b]) => b - a).at(0);
  const className = most ? classOfModule(strings.get(most[0])) : null;
  return className === null ? null : simpleClassName(className);
}
