import {systemOfDevice, type SystemPreset} from '../estimate/system-presets.js';
import {least} from '../table/extremes.js';
import type {JobRank} from './job-rank.js';

/** The link that joins the ranks of a group, and what a rank can send over it in one direction. */
export interface GroupLink {
  readonly name: 'NVLink' | 'Infinity Fabric' | 'PCIe' | 'InfiniBand';
  readonly bytesPerSecond: number;
  /** Whether nothing tells that the ranks are on one machine, but they are no more than one holds. */
  readonly isAssumed: boolean;
}

const giga = 1e9;
/** Sixteen lanes in one direction, as the data sheets of boards count them: half of what they name for both. */
const pcieBytesPerSecond = {3: 16 * giga, 4: 32 * giga, 5: 64 * giga} as const;

/** Boards that no NVLink can join, with the generation of their sixteen lanes. @see docs/metrics.md#job-link */
const pcieBoards: readonly {readonly name: RegExp; readonly generation: keyof typeof pcieBytesPerSecond}[] = [
  {name: /\bT4\b/, generation: 3},
  {name: /\b(L4|L40S?|A10|RTX 40[7-9]0|RTX 6000 Ada)\b/, generation: 4},
  {name: /\b(RTX 50[789]0|RTX PRO 6000)\b/, generation: 5},
];
/** Machines with more boards are rare: a larger group may be on several. */
const mostBoards = 8;

/**
 * Returns the link between the ranks of a group by the data sheet of their GPU; null where that cannot be known: the GPU
 * is not named or not one of those above, the GPUs differ, or the group may be on several machines.
 *
 * @param ranks those of the group that are here
 * @param groupSize NaN if unknown
 * @see docs/metrics.md#job-link
 */
export function groupLink(ranks: readonly JobRank[], groupSize: number): GroupLink | null {
  const [{device}] = ranks;
  if (device === null || ranks.some(rank => rank.device !== device)) return null;
  // A bridge may join pairs of the first two, and those of laptops have as many lanes as their maker gave them.
  if (/PCIE|NVL\b|Laptop/i.test(device)) return null;
  const perHost = new Map<string | null, number>();
  for (const {host} of ranks) perHost.set(host, (perHost.get(host) ?? 0) + 1);
  const areHostsKnown = ranks.length === groupSize && !perHost.has(null);
  const system = systemOfDevice(device);
  if (perHost.size > 1) return areHostsKnown && system ? betweenHosts(system, least([...perHost.values()])) : null;
  const inside = insideHost(device, system);
  return inside && groupSize <= inside.mostRanks ? {...inside.link, isAssumed: !areHostsKnown} : null;
}

/** Each rank brings its share of its machine's adapters, and the machine with the fewest ranks bounds all. */
function betweenHosts({system}: SystemPreset, fewest: number): GroupLink {
  const {infinibandBytesPerSecond, nvlinkDomainSize} = system;
  const share = Math.min(1, fewest / nvlinkDomainSize);
  return {name: 'InfiniBand', bytesPerSecond: infinibandBytesPerSecond * share, isAssumed: false};
}

function insideHost(
  device: string,
  preset: SystemPreset | null,
): {readonly link: Omit<GroupLink, 'isAssumed'>; readonly mostRanks: number} | null {
  if (preset) {
    const {nvlinkBytesPerSecond, nvlinkDomainSize} = preset.system;
    const name = preset.id.startsWith('mi') ? 'Infinity Fabric' : 'NVLink';
    return {link: {name, bytesPerSecond: nvlinkBytesPerSecond / 2}, mostRanks: nvlinkDomainSize};
  }
  const board = pcieBoards.find(({name}) => name.test(device));
  return board
    ? {link: {name: 'PCIe', bytesPerSecond: pcieBytesPerSecond[board.generation]}, mostRanks: mostBoards}
    : null;
}
