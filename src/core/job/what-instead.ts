import {median} from '../base/median.js';
import {say, template} from '../base/say.js';
import {formatDuration} from '../format/duration.js';
import {isCommunicationKernel, isCpuCollective} from '../names/kernel-class.js';
import {shortKernelName} from '../names/short-kernel-name.js';
import {partTitle, type TimePart} from '../summary/time-parts.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank} from './job-rank.js';

/** The number behind a sentence. */
export interface JobEvidence {
  readonly text: string;
  readonly valueNs: number;
}

/** A figure that explains a smaller share of the margin is not a cause. */
const leastShare = 0.2;

/** A figure of a rank by name, and a sentence about it. */
interface Measure {
  readonly of: (rank: JobRank) => readonly (readonly [name: string, ns: number])[];
  /** A template: {0} is what is shown of the name, and {1} how much longer it takes. */
  readonly text: string;
  readonly shown?: (name: string) => string;
  /** Whether a name can be a cause; all names can if absent. Called for few names. */
  readonly isCause?: (name: string) => boolean;
}

/** Parts of time that can be causes; waiting for the other ranks cannot. */
const causes: readonly TimePart[] = [
  'idle/loader',
  'idle/allocation',
  'idle/launch',
  'idle/wait',
  'cpu/loader',
  'memcpy',
];

const measures: readonly Measure[] = [
  {
    of: ({ranges}) => ranges.map(({name, gpuWorkNs}) => [name, gpuWorkNs ?? 0] as const).filter(isOwnWork),
    text: template('The GPU work of "{0}" takes {1} longer a step than on the median rank.'),
  },
  {
    of: ({ranges}) => ranges.map(({name, cpuSelfNs}) => [name, cpuSelfNs] as const).filter(isOwnWork),
    text: template('"{0}" itself takes the CPU {1} longer a step than on the median rank.'),
  },
  {
    of: ({kernels}) => kernels.map(({name, gpuWorkNs}) => [name, gpuWorkNs] as const),
    isCause: name => !isCommunicationKernel(name),
    text: template('The kernel {0} takes {1} longer a step than on the median rank.'),
    shown: shortKernelName,
  },
  {
    of: ({parts}) => parts.filter(({part}) => causes.includes(part)).map(({part, ns}) => [part, ns] as const),
    text: template('“{0}” takes {1} longer a step than on the median rank.'),
    shown: part => partTitle(part as TimePart),
  },
];

/**
 * Returns whether a range is the rank's own work. Annotations of collectives include the time that a rank waits in
 * them.
 */
function isOwnWork([name]: readonly [string, number]): boolean {
  return !isCpuCollective(name) && !/^(nccl|rccl|mpi|ucc):/.test(name);
}

/**
 * Returns what delayed the rank that the others wait for: of its ranges' GPU work, its ranges' CPU time, its kernels
 * and the causes of its idle time, the one of each that exceeds the other ranks' median by most per step. If there is
 * none, returns a sentence that says so.
 *
 * @param marginNs how much longer the others wait, per step
 * @see docs/metrics.md#job-culprit
 */
export function whatInstead(ranks: readonly JobRank[], suspect: number, marginNs: number): JobEvidence[] {
  const found = measures.flatMap(measure => {
    const longest = longestOf(measure, ranks, suspect);
    return longest !== null && longest.valueNs >= leastShare * marginNs ? [longest] : [];
  });
  if (found.length > 0) return found.sort((a, b) => b.valueNs - a.valueNs);
  const text = say('The recording of rank {0} does not show what it did instead.', ranks[suspect].rank);
  return [{text, valueNs: 0}];
}

function longestOf(
  {of, text, shown = name => name, isCause = () => true}: Measure,
  ranks: readonly JobRank[],
  suspect: number,
): JobEvidence | null {
  const others = new Map<string, number[]>();
  ranks.forEach((rank, at) => {
    if (at === suspect) return;
    for (const [name, ns] of of(rank)) getOrAdd(others, name, () => []).push(ns / Math.max(1, rank.steps.length));
  });
  let longest: {name: string; moreNs: number} | null = null;
  for (const [name, ns] of of(ranks[suspect])) {
    const known = others.get(name) ?? [];
    const moreNs = ns / Math.max(1, ranks[suspect].steps.length) - (known.length > 0 ? median(known) : 0);
    if (moreNs > (longest?.moreNs ?? 0) && isCause(name)) longest = {name, moreNs};
  }
  if (longest === null) return null;
  const more = formatDuration(longest.moreNs);
  return {text: say(text, shown(longest.name), more), valueNs: longest.moreNs};
}
