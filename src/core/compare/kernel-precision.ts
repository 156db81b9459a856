import {kernelClass} from '../names/kernel-class.js';
import {productTypeInName} from '../names/product-type.js';
import type {WorkPart} from '../gpu-work/work-part.js';

/**
 * Returns the data types of a part's matrix products, from the names of the kernels with at least 5 % of their work:
 * `bf16, fp32`. Null if no name contains a type.
 */
export function kernelPrecisions({trace, stepOf}: WorkPart): string | null {
  const {gpuOperations, slices, strings} = trace;
  /** -1 for names of no operation of the part. */
  const nsOfName = new Float64Array(strings.length).fill(-1);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (stepOf[operation] < 0) continue;
    const slice = gpuOperations.slice[operation];
    const name = slices.name[slice];
    nsOfName[name] = Math.max(0, nsOfName[name]) + slices.durationNs[slice];
  }
  const workNs = new Map<string, number>();
  let allNs = 0;
  nsOfName.forEach((ns, name) => {
    const type = ns >= 0 ? typeOfName(strings.get(name)) : null;
    if (type === null) return;
    allNs += ns;
    workNs.set(type, (workNs.get(type) ?? 0) + ns);
  });
  const types = [...workNs].filter(([, ns]) => ns >= leastShare * allNs).map(([type]) => type);
  return types.length === 0 ? null : types.sort().join(', ');
}

const leastShare = 0.05;

function typeOfName(name: string): string | null {
  return kernelClass(name) === 'matrix product' ? productTypeInName(name) : null;
}
