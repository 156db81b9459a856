import {orNull} from '../../core/table/or-null.js';
import {instantKinds} from '../../core/trace/instants.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {TableRows} from './table-source.js';

export function counterRows({counters, counterSamples, processes, spanNs}: Trace, texts: Texts): TableRows {
  const {atNs, value, length} = counterSamples;
  const counterOf = new Int32Array(length);
  counters.forEach(({firstSample, endSample}, counter) => counterOf.fill(counter, firstSample, endSample));
  const of = (row: number) => counters[counterOf[row]];
  return {
    length,
    columns: {
      counter_id: () => row => counterOf[row],
      name: () => row => texts.add(of(row).name),
      unit: () => row => of(row).unit,
      at_ns: () => row => atNs[row],
      end_ns: () => row => (row + 1 < of(row).endSample ? atNs[row + 1] : spanNs),
      value: () => row => value[row],
      device: () => row => orNull(of(row).device),
      pid: () => row => processes[of(row).process]?.pid ?? null,
    },
  };
}

export function instantRows({instants, tracks}: Trace, texts: Texts): TableRows {
  const {atNs, name, track, kind, bytes, length} = instants;
  return {
    length,
    columns: {
      id: () => row => row,
      name: () => row => texts.ofTrace(name[row]),
      kind: () => row => instantKinds[kind[row]],
      at_ns: () => row => atNs[row],
      // Only NaN means absent: a memory event may free one byte, which is -1.
      bytes: () => row => (Number.isNaN(bytes[row]) ? null : bytes[row]),
      track_id: () => row => orNull(track[row]),
      tid: () => row => (track[row] < 0 ? null : orNull(tracks[track[row]].thread)),
    },
  };
}

export function noteRows({notes}: Trace): TableRows {
  return {
    length: notes.length,
    columns: {code: () => row => notes[row].code, text: () => row => notes[row].text},
  };
}

export function profileRows({meta, originNs, spanNs}: Trace): TableRows {
  return {
    length: 1,
    columns: {
      format: () => () => meta.format,
      profiler: () => () => meta.profiler,
      version: () => () => meta.version,
      rank: () => () => meta.rank,
      world_size: () => () => meta.worldSize,
      origin_ns: () => () => originNs,
      span_ns: () => () => spanNs,
    },
  };
}
