import {say} from '../../core/base/say.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {snapshotNotes} from '../../core/memory-snapshot/snapshot-notes.js';
import {replayDevice, snapshotDevices} from '../../core/memory-snapshot/replay.js';
import {eventSpanUs} from '../../core/memory-snapshot/event-times.js';
import {TraceBuilder} from '../../core/trace/trace-builder.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';

/** The name of a snapshot's format. */
const snapshotFormat = 'memory-snapshot';

/**
 * Returns a trace without events that represents a snapshot: its devices, its span (from the first to the last event
 * with a time, 0 if none has one), and its notes.
 */
export function snapshotTrace(snapshot: MemorySnapshot): Trace {
  const span = eventSpanUs(snapshot);
  const none = {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0};
  const trace = new TraceBuilder({slices: 1}).finish({
    meta: {
      format: snapshotFormat,
      profiler: 'PyTorch memory snapshot',
      version: null,
      driver: null,
      rank: null,
      worldSize: null,
      groupSize: null,
    },
    baseNs: span === null ? 0n : BigInt(Math.round(span.firstUs)) * 1000n,
    counts: none,
    notes: notesOf(snapshot),
    textTables: [],
  });
  const devices = snapshotDevices(snapshot).map(id => ({id, name: null}));
  return {...trace, devices, spanNs: span === null ? 0 : Math.round((span.lastUs - span.firstUs) * 1000)};
}

/** Returns the notes of every device at its end, each once. */
function notesOf(snapshot: MemorySnapshot): TraceNote[] {
  const notes = new Map<string, TraceNote>();
  const devices = snapshotDevices(snapshot);
  for (const device of devices) {
    const memory = replayDevice(snapshot, device);
    for (const note of snapshotNotes(snapshot, memory, memory.eventCount)) {
      if (note.code === 'memory/other-devices') continue;
      const text = devices.length > 1 ? say('Device {0}: {1}', device, note.text) : note.text;
      notes.set(text, {code: note.code, text});
    }
  }
  return [...notes.values()];
}
