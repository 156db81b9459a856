import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {Enough, streamBytes} from '../reading/byte-stream.js';
import {readFileHead} from '../reading/file-head.js';
import type {ImportOptions} from '../reading/importer.js';
import {assembleSnapshot} from './assemble-snapshot.js';
import {HeldMemory} from './held-memory.js';
import {looksLikePickle} from './looks-like-pickle.js';
import {PickleMachine} from './pickle-machine.js';
import {PickleStream} from './pickle-stream.js';
import {SnapshotHeap} from './snapshot-heap.js';

/**
 * Reads a snapshot of PyTorch's CUDA allocator, as `torch.cuda.memory._dump_snapshot` writes it (PyTorch 2.1 to 2.14):
 * a pickle of protocol 2 to 5, plain or compressed. Only plain data is read: the first instruction that would import,
 * call or build anything is rejected.
 *
 * @throws TraceError `file/…` if the file cannot be read, `import/…` if it is no snapshot, damaged or too large, each
 * with one sentence that names the file
 */
export async function readMemorySnapshot(path: string, options: ImportOptions = {}): Promise<MemorySnapshot> {
  const file = await readFileHead(path);
  const name = basename(path);
  if (!looksLikePickle(file.head)) {
    throw new TraceError(
      'import/unknown-format',
      say('{0} is not a memory snapshot. torch.cuda.memory._dump_snapshot writes one.', name),
    );
  }
  const held = new HeldMemory(options.memoryLimit);
  const heap = new SnapshotHeap(held);
  const machine = new PickleMachine(heap, held);
  const stream = new PickleStream(machine);
  try {
    await streamBytes(file, takeUntilEnd(stream), {
      signal: options.signal,
      unpackedLimit: options.unpackedLimit,
      onRead: bytes => {
        held.readShare = bytes / file.bytes;
        options.onProgress?.({bytes, totalBytes: file.bytes, events: heap.rows.events.length});
      },
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw namingFile(name, error);
  }
  if (!stream.isDone) {
    throw new TraceError(
      'import/damaged',
      say('{0} is cut off. GPU Lens replays a snapshot from its end, so write or copy it again.', name),
    );
  }
  try {
    const snapshot = assembleSnapshot(heap, machine.result(), held);
    if (snapshot) return snapshot;
  } catch (error) {
    throw namingFile(name, error);
  }
  throw new TraceError(
    'import/unknown-format',
    say('{0} is a pickle file, but not a memory snapshot. torch.cuda.memory._dump_snapshot writes one.', name),
  );
}

function takeUntilEnd(stream: PickleStream): (chunk: Uint8Array) => void {
  return chunk => {
    stream.write(chunk);
    if (stream.isDone) throw new Enough();
  };
}

/** Adds the file's name to a message that lacks it. */
function namingFile(name: string, error: unknown): unknown {
  if (!(error instanceof TraceError) || error.message.includes(name)) return error;
  return new TraceError(error.code, `${name}: ${error.message}`, {cause: error});
}
