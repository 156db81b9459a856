import {stepsOf} from '../scope/steps.js';
import {greatest, least} from '../table/extremes.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {TraceBuilder} from '../trace/trace-builder.js';
import type {PredictedWork} from './gpu-work-of.js';
import type {GpuMachine} from './gpu-machine.js';
import {gpuThreads} from './gpu-threads.js';
import {retimed, type Retiming} from './retimed.js';

/** The name of the single step of a recording without steps. */
const wholeStep = 'step 0';

/**
 * Returns the profile that a CPU recording would be on a machine with a GPU: operators launch kernels (`≈ aten::mm`) in
 * place of their work, one stream runs the kernels in order, and operators that need a result wait. Everything between
 * operators takes its recorded time.
 *
 * @see docs/metrics.md#predicted-gpu
 */
export function predictedTrace(trace: Trace, work: readonly PredictedWork[], machine: GpuMachine): Trace {
  const timing = retimed(trace, work, machine);
  const {slices, operators, apiCalls, strings} = trace;
  const builder = new TraceBuilder({slices: slices.length + 2 * work.length});
  trace.processes.forEach(({pid, name}, index) => {
    builder.nameProcess(builder.process(String(index), pid), name);
  });
  const tracks = trace.tracks.map((track, order) => builder.track({...track, id: String(order), order: order + 1}));
  const names = new Map<number, number>();
  const nameOf = (name: number) => {
    const known = names.get(name) ?? builder.strings.intern(strings.get(name));
    names.set(name, known);
    return known;
  };
  for (let row = 0; row < slices.length; row++) {
    const startNs = timing.at(slices.track[row], slices.startNs[row]);
    const endNs = timing.at(slices.track[row], slices.startNs[row] + slices.durationNs[row]);
    const track = tracks[slices.track[row]];
    builder.addSliceRow(
      track,
      startNs,
      endNs - startNs,
      nameOf(slices.name[row]),
      slices.kind[row],
      slices.source[row],
    );
  }
  for (let row = 0; row < operators.length; row++) {
    const {slice, externalId, sequence, forwardThread} = operators;
    builder.addOperator(slice[row], externalId[row], sequence[row], forwardThread[row]);
  }
  for (let at = 0; at + 1 < trace.forwardBackward.length; at += 2) {
    const [from, to] = [trace.forwardBackward[at], trace.forwardBackward[at + 1]];
    const placeOf = (slice: number) =>
      [tracks[slices.track[slice]], timing.at(slices.track[slice], slices.startNs[slice])] as const;
    builder.addForwardBackward(...placeOf(from), ...placeOf(to));
  }
  if (stepsOf(trace).length === 0) addStep(builder, trace, tracks, timing);
  addKernels(builder, trace, tracks, timing, machine.device);
  const kernels = timing.launches.filter(({isWait}) => !isWait).length;
  return builder.finish({
    meta: trace.meta,
    baseNs: trace.originNs,
    counts: {...trace.counts, kernels, apiCalls: apiCalls.length + timing.launches.length},
    notes: [...machine.notes, ...trace.notes],
  });
}

/** Adds the whole recording as a step, so that the same is measured and predicted. */
function addStep(builder: TraceBuilder, trace: Trace, tracks: readonly number[], {at}: Retiming): void {
  const {startNs, durationNs} = trace.slices;
  for (const index of gpuThreads(trace).ofSteps.values()) {
    const {firstSlice, endSlice} = trace.tracks[index];
    const rows = Array.from({length: endSlice - firstSlice}, (_, row) => firstSlice + row);
    const beginsNs = at(index, least(rows.map(row => startNs[row])));
    const endsNs = at(index, greatest(rows.map(row => startNs[row] + durationNs[row])));
    const name = builder.strings.intern(wholeStep);
    builder.addSliceRow(tracks[index], beginsNs, endsNs - beginsNs, name, kindIndex.user_annotation, -1);
  }
}

function addKernels(
  builder: TraceBuilder,
  {slices, strings}: Trace,
  tracks: readonly number[],
  {launches}: Retiming,
  device: string,
): void {
  if (launches.length === 0) return;
  builder.device(0, device);
  const launchName = builder.strings.intern('cudaLaunchKernel');
  const waitName = builder.strings.intern('cudaStreamSynchronize');
  launches.forEach(({slice, callNs, callEndNs, gpuStartNs, gpuNs, isWait, process}, index) => {
    const track = tracks[slices.track[slice]];
    const call = builder.addSlice({
      track,
      startNs: callNs,
      durationNs: callEndNs - callNs,
      name: isWait ? waitName : launchName,
      kind: 'cuda_runtime',
      source: -1,
    });
    const correlation = index + 1;
    builder.addApiCall(call, process, correlation);
    if (isWait) return;
    const stream = builder.track({kind: 'stream', process, device: 0, id: '7', name: 'stream 7 (predicted)', order: 0});
    const name = builder.strings.intern(`≈ ${strings.get(slices.name[slice])}`);
    const kernel = builder.addSliceRow(stream, gpuStartNs, gpuNs, name, kindIndex.kernel, -1);
    builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation});
  });
}
