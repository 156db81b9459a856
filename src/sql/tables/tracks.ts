import {systemOfDevice} from '../../core/estimate/system-presets.js';
import {orNull} from '../../core/table/or-null.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {TableRows} from './table-source.js';

export function trackRows(trace: Trace, texts: Texts): TableRows {
  return rowsOf(
    trace,
    texts,
    trace.tracks.map((_, track) => track),
  );
}

export function threadRows(trace: Trace, texts: Texts): TableRows {
  const isThread = (track: number) => trace.tracks[track].kind === 'thread';
  return rowsOf(trace, texts, [...trace.tracks.keys()].filter(isThread));
}

function rowsOf({tracks, processes}: Trace, texts: Texts, chosen: readonly number[]): TableRows {
  const of = (row: number) => tracks[chosen[row]];
  return {
    length: chosen.length,
    columns: {
      id: () => row => chosen[row],
      track_id: () => row => chosen[row],
      kind: () => row => of(row).kind,
      name: () => row => texts.add(of(row).name),
      pid: () => row => processes[of(row).process]?.pid ?? null,
      process_name: () => row => texts.add(processes[of(row).process]?.name ?? null),
      tid: () => row => orNull(of(row).thread),
      device: () => row => orNull(of(row).device),
      slices: () => row => of(row).endSlice - of(row).firstSlice,
    },
  };
}

export function deviceRows({devices}: Trace, texts: Texts): TableRows {
  return {
    length: devices.length,
    columns: {
      id: () => row => devices[row].id,
      name: () => row => texts.add(devices[row].name),
      memory_bytes_per_second: () => row => systemOfDevice(devices[row].name)?.system.hbmBytesPerSecond ?? null,
    },
  };
}
