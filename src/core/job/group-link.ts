import {systemOfDevice, type SystemPreset} from '../estimate/system-presets.js';
import {least} from '../table/extremes.js';
import type {JobRank} from './job-rank.js';

/** The link that joins the ranks of a group, and a rank's bandwidth over it in one direction. */
export interface GroupLink {
  readonly name: 'NVLink' | 'Infinity Fabric' | 'PCIe' | 'InfiniBand';
  readonly bytesPerSecond: number;
  /** Whether the ranks are only assumed to be on one machine, because the group is small enough for one. */
  readonly isAssumed: boolean;
}

const giga = 1e9;
/** Sixteen lanes in one direction: half of the figure for both directions on the boards' data sheets. */
const pcieBytesPerSecond = {3: 16 * giga, 4: 32 * giga, 5: 64 * giga} as const;

/** Boards that no NVLink can join, with the PCIe generation of their sixteen lanes. @see docs/metrics.md#job-link */
const pcieBoards: readonly {readonly name: RegExp; readonly generation: keyof typeof pcieBytesPerSecond}[] = [
  {name: /\bT4\b/, generation: 3},
  {name: /\b(L4|L40S?|A10|RTX 40[7-9]0|RTX 6000 Ada)\b/, generation: 4},
  {name: /\b(RTX 50[789]0|RTX PRO 6000)\b/, generation: 5},
];
/** Machines with more boards are rare: a larger group may span several. */
const mostBoards = 8;

/**
 * Returns the link between the ranks of a group according to their GPU's data sheet; null if it is unknown: the GPU has
 * no name or is not listed above, the GPUs differ, or the group may span several machines.
 *
 * @param ranks the loaded ranks of the group
 * @param groupSize NaN if unknown
 * @see docs/metrics.md#job-link
 */
export function groupLink(ranks: readonly JobRank[], groupSize: number): GroupLink | null {
  const [{device}] = ranks;
  if (device === null || ranks.some(rank => rank.device !== device)) return null;
  const perHost = new Map<string | null, number>();
  for (const {host} of ranks) perHost.set(host, (perHost.get(host) ?? 0) + 1);
  const areHostsKnown = ranks.length === groupSize && !perHost.has(null);
  if (perHost.size > 1) {
    const system = unknownLink.test(device) ? null : systemOfDevice(device);
    return areHostsKnown && system ? betweenHosts(system, least([...perHost.values()])) : null;
  }
  const inside = linkInsideHost(device, groupSize);
  return inside && {...inside, isAssumed: !areHostsKnown};
}

/**
 * Returns the link between machines. Each rank contributes its share of its machine's adapters, and the machine with
 * the fewest ranks is the bottleneck. Null for machines with more GPUs than the preset's: their adapters are unknown.
 */
function betweenHosts({system}: SystemPreset, fewest: number): GroupLink | null {
  const {infinibandBytesPerSecond, nvlinkDomainSize} = system;
  const share = fewest / nvlinkDomainSize;
  return share > 1 ? null : {name: 'InfiniBand', bytesPerSecond: infinibandBytesPerSecond * share, isAssumed: false};
}

/** A bridge may join pairs of PCIe and NVL boards, and the number of lanes in laptops depends on the maker. */
const unknownLink = /PCIE|FHHL|NVL\b|Laptop/i;

/**
 * Returns the link between the ranks of a group on one host; null if it is unknown, or a host has fewer GPUs.
 *
 * @param groupSize NaN if unknown
 */
export function linkInsideHost(device: string, groupSize: number): Omit<GroupLink, 'isAssumed'> | null {
  if (unknownLink.test(device)) return null;
  const preset = systemOfDevice(device);
  if (preset) {
    const {nvlinkBytesPerSecond, nvlinkDomainSize: mostRanks} = preset.system;
    if (!(groupSize <= mostRanks)) return null;
    const oneWay = nvlinkBytesPerSecond / 2;
    // No switch: a GPU has one link to each other GPU, and a group uses only the links between its members.
    if (preset.id.startsWith('mi')) {
      const bytesPerSecond = (oneWay * (groupSize - 1)) / (mostRanks - 1);
      return groupSize > 1 ? {name: 'Infinity Fabric', bytesPerSecond} : null;
    }
    // In a DGX-1, two GPUs share no link, one or two: only a group of all eight uses all links.
    if (preset.id === 'v100' && groupSize < mostRanks) return null;
    return {name: 'NVLink', bytesPerSecond: oneWay};
  }
  const board = pcieBoards.find(({name}) => name.test(device));
  return board && groupSize <= mostBoards ? {name: 'PCIe', bytesPerSecond: pcieBytesPerSecond[board.generation]} : null;
}
