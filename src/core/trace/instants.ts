import type {Table} from '../table/table.js';

/** Kinds of events at a single moment. */
export const instantKinds = ['nvtx_mark', 'marker', 'memory', 'out_of_memory', 'cpu_sample', 'page_fault'] as const;

export type InstantKind = (typeof instantKinds)[number];

/** The number of a kind in `instants.kind`. */
export const instantKindIndex = Object.fromEntries(instantKinds.map((kind, index) => [kind, index])) as Record<
  InstantKind,
  number
>;

/**
 * One row per event without a duration, sorted by time; at the same time in the order of the file.
 *
 *       row   atNs  name            track  kind          bytes  device  source
 *         0    300  "epoch begins"      0  nvtx_mark       NaN      -1    5120   on a thread
 *         1    450  "[memory]"          0  memory         4096       0    5344   4096 bytes allocated on GPU 0
 *         2    900  "[memory]"          0  memory        -4096       0    5601   and freed
 *         3    950  "sync point"       -1  marker          NaN      -1    6002   of the whole trace
 *
 * Times count from the trace's origin. `track` is the event's track; events of a whole process or device have a track
 * of their own without slices, and events that belong to neither have -1. `bytes` is the memory that a memory event
 * allocated, negative for freed memory, NaN for other events; `device` is the device of that memory, -1 for the host
 * and for other events. `source` is as for slices.
 */
export const instantSchema = {
  atNs: 'f64',
  name: 'i32',
  track: 'i32',
  kind: 'u8',
  bytes: 'f64',
  device: 'i32',
  source: 'f64',
} as const;
export type InstantTable = Table<typeof instantSchema>;
