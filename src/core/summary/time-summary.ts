import type {TimeWindow} from '../base/time-window.js';
import {gpuSummary} from '../questions/info.js';
import type {Step} from '../scope/steps.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {cpuTimeInParts} from './cpu-parts.js';
import {busiestDevice, busyOfDevices, type DeviceBusy} from './device-busy.js';
import {modelName} from './model-name.js';
import {stepColumns, type StepColumn} from './step-columns.js';
import {programParts, type ProgramPart} from './program-parts.js';
import {stepLengths, summarySteps, type StepLengths} from './summary-steps.js';
import {topCpuLists, topLists, type TopList} from './summary-tops.js';
import {timeInParts, type Stretch} from './time-in-parts.js';
import {timeParts, type TimePart} from './time-parts.js';

/** The time of a part. */
interface PartTime {
  readonly part: TimePart;
  readonly ns: number;
  /** Its longest idle stretch; null for parts of other kinds. */
  readonly longest: Stretch | null;
}

/** What a user must know first about a profile. Times are ns. @see docs/metrics.md#summary */
export interface TimeSummary {
  /** Class of the outermost module; null if none was recorded. */
  readonly model: string | null;
  readonly rank: number | null;
  readonly worldSize: number | null;
  readonly hasGpuWork: boolean;
  /** The GPU whose time is split; null without GPU work. */
  readonly device: number | null;
  /** Null if the profile has no steps; the time is then from the GPU's first to its last operation. */
  readonly steps: StepLengths | null;
  /** The time that is split: of the steps, or of the whole. */
  readonly totalNs: number;
  /** In the order of `timeParts`, only parts with time; they add up to `totalNs`. */
  readonly parts: readonly PartTime[];
  readonly hiddenCommunicationNs: number;
  readonly busy: readonly DeviceBusy[];
  /** Busy time of all GPUs in the whole profile; the difference to the steps is outside of them. */
  readonly allBusyNs: number;
  readonly columns: readonly StepColumn[];
  readonly tops: readonly TopList[];
  /** The parts to which `tops` can be limited. */
  readonly programParts: readonly ProgramPart[];
}

const timeSummaryKey = derivedKey<TimeSummary>('time summary');

/** Returns the summary of a whole profile. @throws TraceError `trace/too-many-open-ranges` */
export function timeSummary(trace: Trace): TimeSummary {
  return derived(
    trace,
    timeSummaryKey,
    () => makeSummary(trace),
    ({columns, parts}) => columns.length * (100 + 8 * parts.length),
  );
}

function makeSummary(trace: Trace): TimeSummary {
  const busiest = busiestDevice(trace);
  const steps = summarySteps(trace, busiest?.process ?? -1);
  const windows = steps.length > 0 ? steps.map(windowOf) : wholeOf(trace, busiest?.device ?? null);
  const split = busiest
    ? timeInParts(trace, busiest.device, windows)
    : {
        ns: cpuTimeInParts(trace, steps.at(0)?.process ?? busiestProcess(trace), windows),
        ...{hiddenCommunicationNs: 0, longest: timeParts.map(() => null)},
      };
  const partNs = timeParts.map((_, part) => split.ns.reduce((sum, ns) => sum + ns[part], 0));
  const shown = partNs.flatMap((ns, part) => (ns > 0 ? [part] : []));
  return {
    model: modelName(trace),
    rank: trace.meta.rank,
    worldSize: trace.meta.worldSize,
    hasGpuWork: busiest !== null,
    device: busiest?.device ?? null,
    steps: stepLengths(steps),
    totalNs: windows.reduce((sum, {fromNs, toNs}) => sum + toNs - fromNs, 0),
    parts: shown.map(part => ({part: timeParts[part], ns: partNs[part], longest: split.longest[part]})),
    hiddenCommunicationNs: split.hiddenCommunicationNs,
    busy: busyOfDevices(trace, windows),
    allBusyNs: gpuSummary(trace).busyNs,
    columns: stepColumns(steps, split.ns, shown),
    ...(busiest
      ? {tops: topLists(trace), programParts: programParts(trace)}
      : {tops: topCpuLists(trace), programParts: []}),
  };
}

const windowOf = ({startNs, endNs}: Step): TimeWindow => ({fromNs: startNs, toNs: endNs});

/** Returns the window from the first to the last operation of a GPU; the whole profile without one. */
function wholeOf({slices, gpuOperations, spanNs}: Trace, device: number | null): TimeWindow[] {
  if (device === null) return spanNs > 0 ? [{fromNs: 0, toNs: spanNs}] : [];
  let [fromNs, toNs] = [Infinity, -Infinity];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.device[operation] !== device) continue;
    const slice = gpuOperations.slice[operation];
    fromNs = Math.min(fromNs, slices.startNs[slice]);
    toNs = Math.max(toNs, slices.startNs[slice] + slices.durationNs[slice]);
  }
  return toNs > fromNs ? [{fromNs, toNs}] : [];
}

/** Returns the index of the process with the most slices. */
function busiestProcess({tracks, processes}: Trace): number {
  const slices = new Float64Array(processes.length);
  for (const {process, firstSlice, endSlice} of tracks) if (process >= 0) slices[process] += endSlice - firstSlice;
  return slices.indexOf(slices.reduce((most, count) => Math.max(most, count), 0));
}
