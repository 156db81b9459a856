import {shortKernelName} from '../../names/short-kernel-name.js';
import {kindIndex} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import type {RecordedPath} from './recorded-path.js';

/** A GPU operation in a critical path's window; ns. */
export interface PathOperation {
  readonly name: string;
  readonly startNs: number;
  readonly ns: number;
  /** How much longer it could take without lengthening the path; 0 on the path. */
  readonly slackNs: number;
  readonly isCritical: boolean;
}

/** Returns the GPU operations of a path's window in order of start, with their slack. */
export function pathOperations({slices, strings, gpuOperations}: Trace, path: RecordedPath): PathOperation[] {
  const critical = new Set(path.slices);
  return Array.from(gpuOperations.slice).flatMap(row => {
    const slackNs = path.slackNs.get(row);
    if (slackNs === undefined) return [];
    const name = strings.get(slices.name[row]);
    return {
      name: slices.kind[row] === kindIndex.kernel ? shortKernelName(name) : name,
      startNs: slices.startNs[row],
      ns: slices.durationNs[row],
      slackNs: Math.round(slackNs),
      isCritical: critical.has(row),
    };
  });
}
