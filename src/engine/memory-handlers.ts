import {allocationGroups, type MemoryStacking} from '../core/memory-snapshot/allocation-groups.js';
import {eventsOf} from '../core/memory-snapshot/events-of.js';
import {keptMemory} from '../core/memory-snapshot/kept-rows.js';
import {lineMemory} from '../core/memory-snapshot/line-memory.js';
import {liveBlocks} from '../core/memory-snapshot/live-blocks.js';
import {liveRows, type LiveRow} from '../core/memory-snapshot/live-rows.js';
import {memoryCurve} from '../core/memory-snapshot/memory-curve.js';
import {memoryFlame} from '../core/memory-snapshot/memory-flame.js';
import {memoryAt} from '../core/memory-snapshot/memory-report.js';
import {traceActions} from '../core/memory-snapshot/memory-snapshot.js';
import {momentAtTime, traceTimeOf} from '../core/memory-snapshot/moment-times.js';
import type {DeviceMemory} from '../core/memory-snapshot/replay.js';
import {rowDifference} from '../core/memory-snapshot/row-difference.js';
import {segmentRows} from '../core/memory-snapshot/segment-rows.js';
import {snapshotInfo} from '../core/memory-snapshot/snapshot-info.js';
import {snapshotNotes} from '../core/memory-snapshot/snapshot-notes.js';
import type {Trace} from '../core/trace/trace.js';
import type {ProfileId} from '../protocol/engine-messages.js';
import type {MemoryEngineRequests, MemoryOverview} from '../protocol/memory-messages.js';
import type {Handlers} from '../protocol/rpc.js';
import type {OpenSnapshots, OpenSnapshot} from './open-snapshots.js';

/** The most blocks of a moment that a view gets: nobody would read more. */
const mostBlocks = 500;
const mostRows = 1000;
const oom = traceActions.indexOf('oom');

/** Answers questions about memory snapshots. A snapshot is read at the first question about it. */
export function memoryHandlers(
  snapshots: OpenSnapshots,
  traceOf: (profile: ProfileId) => Promise<Trace>,
): Handlers<MemoryEngineRequests> {
  const memoryOf = async (path: string, stamp: string, device: number) => {
    const open = await snapshots.asShown(path, stamp);
    return {open, snapshot: open.snapshot, memory: open.memory(device)};
  };
  return {
    'memory/open': async ({snapshot: path, lines}, {signal, report}) => {
      snapshots.note(path, lines);
      return overviewOf(await snapshots.of(path, {signal, onProgress: report}));
    },
    'memory/close'({snapshot: path}) {
      snapshots.close(path);
      return undefined;
    },
    'memory/curve': async ({snapshot: path, stamp, device, by, window}) => {
      const {open, memory} = await memoryOf(path, stamp, device);
      return memoryCurve(memory, groupsOf(open, device, by), window);
    },
    'memory/moment': async ({snapshot: path, stamp, device, moment}) => {
      const {snapshot, memory} = await memoryOf(path, stamp, device);
      const {blocks, count} = liveBlocks(snapshot, memory, moment, mostBlocks);
      const rows = liveRows(snapshot, memory, moment, 'line');
      return {at: memoryAt(memory, moment), rows, blocks, blockCount: count};
    },
    'memory/flame': async ({snapshot: path, stamp, device, moment}) => {
      const {snapshot, memory} = await memoryOf(path, stamp, device);
      return memoryFlame(snapshot, memory, moment);
    },
    'memory/segments': async ({snapshot: path, stamp, device}) =>
      segmentRows((await snapshots.asShown(path, stamp)).snapshot, device).slice(0, mostRows),
    'memory/kept': async ({snapshot: path, stamp, device}) => {
      const {snapshot, memory} = await memoryOf(path, stamp, device);
      const kept = keptMemory(snapshot, memory);
      return {...kept, rows: kept.rows.slice(0, mostRows)};
    },
    'memory/difference': async ({snapshot: path, stamp, device, moment, base}) => {
      const open = await snapshots.asShown(path, stamp);
      return rowDifference(rowsAt(open, device, base), rowsAt(open, device, moment));
    },
    'memory/other': async ({snapshot: path, stamp, device, other}) => {
      const open = await snapshots.asShown(path, stamp);
      return rowDifference(rowsAt(open, device, 'peak'), rowsAt(await snapshots.of(other), device, 'peak'));
    },
    'memory/time': async ({snapshot: path, stamp, profile, place}) =>
      traceTimeOf(await traceOf(profile), (await snapshots.asShown(path, stamp)).snapshot, place),
    'memory/at': async ({snapshot: path, profile, atNs, device}) => {
      const trace = await traceOf(profile);
      const {snapshot, stamp} = await snapshots.of(path);
      const place = momentAtTime(trace, snapshot, atNs, device);
      return place && {...place, stamp};
    },
    'memory/lines': async ({snapshot: path, stamp}) => {
      const open = await snapshots.asShown(path, stamp);
      const peakOf = ({allocatedBytes, peakMoment}: DeviceMemory) => allocatedBytes[peakMoment] ?? 0;
      const memories = open.devices.map(device => open.memory(device)).sort((a, b) => peakOf(b) - peakOf(a));
      return memories.slice(0, 1).flatMap(memory => lineMemory(open.snapshot, memory));
    },
  };
}

function rowsAt(open: OpenSnapshot, device: number, at: number | 'peak'): LiveRow[] {
  const memory = open.memory(device);
  return liveRows(open.snapshot, memory, at === 'peak' ? memory.peakMoment : at, 'line');
}

/** Groups are computed once for all windows. */
function groupsOf(open: OpenSnapshot, device: number, by: MemoryStacking): ReturnType<typeof allocationGroups> {
  return open.kept(`${String(device)} ${by}`, () => allocationGroups(open.snapshot, open.memory(device), by));
}

function overviewOf(open: OpenSnapshot): MemoryOverview {
  const {snapshot, devices, stamp} = open;
  const infos = snapshotInfo(snapshot).map(info => {
    const memory = open.memory(info.device);
    const {action} = eventsOf(snapshot, info.device);
    const outOfMemoryMoments: number[] = [];
    action.forEach((code, event) => code === oom && outOfMemoryMoments.push(event + 1));
    const notes = snapshotNotes(snapshot, memory, memory.peakMoment).filter(
      ({code}) => code !== 'memory/other-devices',
    );
    return {...info, peakMoment: memory.peakMoment, outOfMemoryMoments, notes};
  });
  return {stamp, devices: infos, device: infos.find(({events}) => events > 0)?.device ?? devices[0] ?? 0};
}
