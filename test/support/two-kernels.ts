import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kineto, kinetoText} from './kineto-events.js';

/** Writes a trace of a step with a layer and two kernels, one without a launch; returns its path. */
export function writeTwoKernels(folder: string): string {
  const path = join(folder, 'trace.json');
  const events = [
    kineto.range('step, "one"', 0, 100),
    kineto.range('layer_0', 10, 50),
    kineto.op('aten::mm', 10, 40),
    kineto.call(9, 20, 5),
    kineto.kernel(9, 30, 40),
    kineto.kernel(10, 80, 7),
  ];
  writeFileSync(path, kinetoText(events));
  return path;
}
