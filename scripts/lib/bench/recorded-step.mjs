// The recording from which large files are made if there is no other: the sample's, with GPU work added to its
// operators.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {root} from '../run.mjs';

/**
 * The fraction of an operator's time that its kernel takes, and the least delay of its start after the launch, in ns.
 */
const gpuShare = 0.3;
const launchDelayNs = 2000;
const launchNs = 4000;

/**
 * Returns the complete events of the sample, with times in whole ns from the first one, in the order of their starts.
 * Each innermost PyTorch operator launches a kernel on a single stream.
 *
 * @returns {{pid: number, events: {cat: string, name: string, tid: number, startNs: number, durationNs: number, args:
 *   object}[], periodNs: number}}
 */
export function recordedStep() {
  const path = join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
  const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
  const complete = traceEvents.filter(({ph, cat}) => ph === 'X' && cat !== 'Trace');
  const originNs = Math.round(complete.reduce((least, {ts}) => Math.min(least, ts), Infinity) * 1000);
  const events = complete
    .map(({cat, name, tid, ts, dur, args}) => ({
      ...{cat, name, tid, args},
      startNs: Math.round(ts * 1000) - originNs,
      durationNs: Math.round(dur * 1000),
    }))
    .sort((a, b) => a.startNs - b.startNs || b.durationNs - a.durationNs);
  const all = [...events, ...gpuWork(events)].sort((a, b) => a.startNs - b.startNs || b.durationNs - a.durationNs);
  const endNs = all.reduce((last, {startNs, durationNs}) => Math.max(last, startNs + durationNs), 0);
  // A microsecond between two repetitions.
  return {pid: complete[0].pid, events: all, periodNs: 1000 * Math.ceil((endNs + 1000) / 1000)};
}

function gpuWork(events) {
  const added = [];
  let freeNs = 0;
  let correlation = 0;
  events.forEach(({cat, name, tid, startNs, durationNs, args}, at) => {
    const next = events.slice(at + 1, at + 50).find(event => event.tid === tid);
    const isInnermost = next === undefined || next.startNs >= startNs + durationNs;
    if (cat !== 'cpu_op' || !name.startsWith('aten::') || !isInnermost || durationNs < 2 * launchNs) return;
    correlation++;
    const callNs = startNs + durationNs - launchNs - 1;
    const external = {'External id': args['External id'], correlation};
    added.push({
      ...{cat: 'cuda_runtime', name: 'cudaLaunchKernel', tid, startNs: callNs, durationNs: launchNs},
      args: {...external, cbid: 211},
    });
    const kernelNs = Math.max(freeNs, callNs + launchNs + launchDelayNs);
    const workNs = Math.round(gpuShare * durationNs);
    freeNs = kernelNs + workNs + 500;
    const place = {device: 0, context: 1, stream: 7};
    added.push({
      ...{cat: 'kernel', name: kernelName(name), tid: 7, startNs: kernelNs, durationNs: workNs},
      args: {...external, ...place, grid: [128, 1, 1], block: [256, 1, 1], 'registers per thread': 32},
    });
  });
  return added;
}

/** Returns a long name, as kernels have. */
function kernelName(operator) {
  const own = operator.slice('aten::'.length);
  return `void at::native::vectorized_elementwise_kernel<4, at::native::${own}_functor<float>, at::detail::Array<char*, 3> >(int, at::native::${own}_functor<float>, at::detail::Array<char*, 3>)`;
}
