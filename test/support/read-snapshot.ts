import type {MemorySnapshot} from '../../src/core/memory-snapshot/memory-snapshot.js';
import {assembleSnapshot} from '../../src/importers/pickle/assemble-snapshot.js';
import {HeldMemory} from '../../src/importers/pickle/held-memory.js';
import {PickleMachine} from '../../src/importers/pickle/pickle-machine.js';
import {PickleStream} from '../../src/importers/pickle/pickle-stream.js';
import {SnapshotHeap} from '../../src/importers/pickle/snapshot-heap.js';
import {pickleOf, type PlainData} from './pickle-writer.js';

/** The limit for reading damaged pickles in tests. */
const testLimit = {bytes: 200e6, name: '--memory-limit'};

/**
 * Reads a pickle from memory in parts of a size; null if it is not a snapshot, or has no end.
 *
 * @throws TraceError
 */
export function readPickle(bytes: Uint8Array, partBytes = bytes.length): MemorySnapshot | null {
  const held = new HeldMemory(testLimit);
  const heap = new SnapshotHeap(held);
  const machine = new PickleMachine(heap, held);
  const stream = new PickleStream(machine);
  // Parts are only valid during the call, as with files.
  for (let at = 0; at < bytes.length; at += partBytes)
    stream.write(Uint8Array.from(bytes.subarray(at, at + partBytes)));
  return stream.isDone ? assembleSnapshot(heap, machine.result(), held) : null;
}

/** Returns the snapshot in plain data. */
export function snapshotOf(data: PlainData): MemorySnapshot {
  const snapshot = readPickle(pickleOf(data));
  if (!snapshot) throw new Error('The data are no snapshot.');
  return snapshot;
}
