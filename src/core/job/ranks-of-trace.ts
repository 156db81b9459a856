import {say} from '../base/say.js';
import {launchSites} from '../attribution/launch-sites.js';
import {TraceError} from '../base/errors.js';
import {collectiveCalls, type CollectiveCall} from '../figures/collective-calls.js';
import {rangeRows} from '../figures/range-rows.js';
import type {DetailKind, ReportDetails} from '../figures/report-details.js';
import {reportInput} from '../figures/report-input.js';
import {rankInFileName} from '../names/rank-files.js';
import {processChoices, processesOfPid} from '../scope/processes.js';
import {wholeTrace} from '../scope/report-scope.js';
import {stepFinder} from '../scope/innermost-steps.js';
import {stepSpans} from '../scope/step-spans.js';
import {timeSummary} from '../summary/time-summary.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace, TraceMeta} from '../trace/trace.js';
import {expertTokens, hasExperts} from './expert-tokens.js';
import {groupedTokens, hasGroupedProducts} from './grouped-experts.js';
import {expertBlocks, layersOfCalls, type CallLayer} from './expert-blocks.js';
import type {JobRank, RankCall, RankKernel, RankRange, RankStep} from './job-rank.js';
import {rankOverlap} from './rank-overlap.js';

/** A profile that holds one rank of a job, or several. */
export interface JobFile {
  /** The file's name, without folders. */
  readonly name: string;
  readonly trace: Trace;
  readonly details: ReportDetails;
}

/** Returns the details that a job needs of a profile besides its trace. */
export function jobDetails(trace: Trace): ReadonlySet<DetailKind> {
  return new Set<DetailKind>(
    hasExperts(trace) || hasGroupedProducts(trace) ? ['collectives', 'allShapes'] : ['collectives'],
  );
}

/**
 * Returns the ranks in a profile: one, or one for each of several processes with GPU work.
 *
 * @param position position of the profile in the job: its rank if neither the profile nor its name gives one
 * @throws TraceError `import/unknown-format` of a text with tables, `trace/too-many-open-ranges`
 */
export function ranksOfTrace(file: JobFile, position: number): JobRank[] {
  const {trace, name} = file;
  if (trace.textTables.length > 0) {
    throw new TraceError('import/unknown-format', say('{0} is a text with tables, which has no ranks.', name));
  }
  const processes = trace.meta.rank === null ? processChoices(trace) : [];
  const calls = collectiveCalls(reportInput({trace, details: file.details, scope: wholeTrace}));
  if (processes.length === 0) return [rankOf(file, toldRank(trace.meta, name, position), null, calls)];
  return processes.map(({pid}, at) => rankOf(file, {rank: position + at, rankFrom: 'order'}, pid, calls));
}

type ToldRank = Pick<JobRank, 'rank' | 'rankFrom'>;

function toldRank({rank, launch}: TraceMeta, name: string, position: number): ToldRank {
  const inProfile = rank ?? launch?.rank ?? null;
  if (inProfile !== null) return {rank: inProfile, rankFrom: 'profile'};
  const inName = rankInFileName(name);
  return inName === null ? {rank: position, rankFrom: 'order'} : {rank: inName, rankFrom: 'name'};
}

function rankOf(
  {name, trace, details}: JobFile,
  told: ToldRank,
  pid: string | null,
  allCalls: readonly CollectiveCall[],
): JobRank {
  const processes = pid === null ? null : processesOfPid(trace, pid);
  const steps: RankStep[] = stepSpans(trace, launchSites(trace))
    .filter(({process}) => processes?.has(process) ?? true)
    .map(({number, startNs, endNs}) => ({number, startNs, endNs}));
  // The processes of a rank are one here.
  const stepAt = stepFinder(steps.map(step => ({...step, process: 0})));
  const layerOf = layersOfCalls(expertBlocks(trace, processes));
  const calls = allCalls
    .filter(({kernels, isOnCpu, process}) => (kernels > 0 || isOnCpu) && (processes?.has(process) ?? true))
    .map(call =>
      rankCall(call, stepAt(0, call.startNs), call.operation === 'all_to_all' ? layerOf(call.calledNs) : noLayer),
    );
  return {
    ...{...told, ...placeOf(trace.meta, name, pid), ...clockOf(trace), file: name, process: pid, steps, calls},
    device: deviceOf(trace),
    ranges: rangesOf(trace, pid),
    kernels: kernelsOf(trace, processes),
    overlap: rankOverlap(trace, processes),
    tokens: expertTokens(trace, details.allShapes, processes),
    grouped: groupedTokens(trace, details.allShapes, processes),
    parts: pid === null ? timeSummary(trace).parts.map(({part, ns}) => ({part, ns})) : [],
  };
}

function placeOf(
  {worldSize, launch}: TraceMeta,
  name: string,
  pid: string | null,
): Pick<JobRank, 'worldSize' | 'host'> {
  // The launch details of a program do not apply to the processes that it started.
  const launchedSize = pid === null ? launch?.worldSize : undefined;
  return {worldSize: worldSize ?? launchedSize ?? null, host: hostInName(name) ?? launch?.host ?? null};
}

function deviceOf({devices}: Trace): string | null {
  const names = new Set(devices.flatMap(({name}) => (name === null || name === '' ? [] : [name])));
  const [only] = names;
  return names.size === 1 ? only : null;
}

function clockOf({
  meta: {launch, countsFromEpoch = false},
  originNs,
}: Trace): Pick<JobRank, 'originNs' | 'isTimeOfDay'> {
  const epochNs = launch?.epochNs ?? null;
  return {
    originNs: originNs + BigInt(epochNs ?? 0),
    isTimeOfDay: countsFromEpoch || epochNs !== null,
  };
}

/** Returns the host in a file name of `tensorboard_trace_handler`: `HOST_PID.TIME.pt.trace.json`. */
function hostInName(name: string): string | null {
  return /^(.+)_\d+\.\d+\.pt\.trace\.json/.exec(name)?.[1] ?? null;
}

const wholeNumberType = /^(unsigned|signed|u?int|long|short|char|byte|bool)/i;
const noLayer: CallLayer = {layer: null, isDispatch: false};

function rankCall(call: CollectiveCall, step: number, layer: CallLayer): RankCall {
  const {operation, group, groupSize, sequence, startNs, endNs, busyNs, exposedNs, bytes} = call;
  const {sentBytes, groupRanks, splits, peer, mpi} = call;
  return {
    ...{operation, group, groupSize, sequence, startNs, endNs, busyNs, exposedNs, bytes, step},
    ...{sentBytes, groupRanks, splits, peer, mpi},
    layer: layer.layer,
    // Whole numbers are the counts of the data that follows.
    isDispatch: layer.isDispatch && !wholeNumberType.test(call.dataType ?? ''),
  };
}

function rangesOf(trace: Trace, pid: string | null): RankRange[] {
  const hasGpuWork = trace.gpuOperations.length > 0;
  return rangeRows(trace, 'name', {selection: pid === null ? {} : {process: pid}})
    .filter(({names, name}) => names > 0 && !name.startsWith('ProfilerStep#'))
    .map(({name, gpuWorkNs, backwardGpuWorkNs, cpuWallNs, cpuSelfNs}) => ({
      ...{name, cpuWallNs, cpuSelfNs},
      gpuWorkNs: hasGpuWork ? gpuWorkNs + backwardGpuWorkNs : null,
    }));
}

function kernelsOf(trace: Trace, processes: ReadonlySet<number> | null): RankKernel[] {
  const {slices, strings, gpuOperations} = trace;
  const counts = new Uint32Array(strings.length);
  const workNs = new Float64Array(strings.length);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] !== kindIndex.kernel || processes?.has(gpuOperations.process[operation]) === false) continue;
    counts[slices.name[slice]]++;
    workNs[slices.name[slice]] += slices.durationNs[slice];
  }
  const kernels: RankKernel[] = [];
  counts.forEach((count, name) => {
    if (count > 0) kernels.push({name: strings.get(name), count, gpuWorkNs: workNs[name]});
  });
  return kernels.sort((a, b) => b.gpuWorkNs - a.gpuWorkNs || (a.name < b.name ? -1 : 1));
}
