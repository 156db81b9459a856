import {frame, snapshotData} from './memory-snapshots.js';
import type {PlainData} from './pickle-writer.js';

const MiB = 1 << 20;
const torch = '/opt/venv/lib/python3.12/site-packages/torch';

/** The path of the snapshot's program, and its lines. */
const snapshotScript = '/home/me/project/train.py';
export const snapshotLines = {parameters: 5, attention: 12, softmax: 13, loss: 20, backward: 21, step: 22, cache: 24};

export interface TrainingOptions {
  readonly steps?: number;
  /** Whether the last step runs out of memory instead of ending. */
  readonly outOfMemory?: boolean;
  /** Factor for the size of activations. */
  readonly scale?: number;
}

/** An allocator that is simulated forwards, so that the history and the final segments agree. */
class MadeAllocator {
  readonly events: PlainData[] = [];
  readonly #live = new Map<number, {bytes: number; frames: PlainData[]}>();
  readonly #segments = new Map<number, number>();
  readonly #free: {address: number; bytes: number}[] = [];
  #next = 0x7f_0000_0000;
  #timeUs = 1_773_270_053_000_000;

  record(action: string, address: number, bytes: number, frames: PlainData[]): void {
    this.#timeUs += 137;
    const labels = {compile_context: 'N/A', user_metadata: ''};
    this.events.push({action, addr: address, size: bytes, stream: 0, time_us: this.#timeUs, ...labels, frames});
  }

  /** Takes a free block of the same size, else a new segment. */
  allocate(bytes: number, frames: PlainData[]): number {
    const at = this.#free.findIndex(block => block.bytes === bytes);
    const [known] = at < 0 ? [] : this.#free.splice(at, 1);
    const address = known?.address ?? this.#reserve(bytes, frames);
    this.#live.set(address, {bytes, frames});
    this.record('alloc', address, bytes, frames);
    return address;
  }

  release(addresses: readonly number[], frames: PlainData[]): void {
    for (const address of addresses) {
      const bytes = this.#live.get(address)?.bytes ?? 0;
      this.#live.delete(address);
      this.record('free_requested', address, bytes, frames);
      this.record('free_completed', address, bytes, frames);
      this.#free.push({address, bytes});
    }
  }

  segments(): PlainData[] {
    return [...this.#segments].map(([address, bytes]) => {
      const block = this.#live.get(address);
      const frames = block?.frames ?? [];
      const one = {address, size: bytes, requested_size: bytes, state: block ? 'active_allocated' : 'inactive', frames};
      return {
        ...{device: 0, address, total_size: bytes, stream: 0, segment_type: 'large', segment_pool_id: [0, 0]},
        ...{is_expandable: false, frames, blocks: [one]},
      };
    });
  }

  #reserve(bytes: number, frames: PlainData[]): number {
    const address = this.#next;
    this.#next += bytes;
    this.#segments.set(address, bytes);
    this.record('segment_alloc', address, bytes, frames);
    return address;
  }
}

/**
 * Returns a snapshot of a simulated training run with parameters, activations, gradients, optimizer state, and a cache
 * that grows by a block every step.
 */
export function trainingSnapshot({steps = 4, outOfMemory = false, scale = 1}: TrainingOptions = {}): PlainData {
  const allocator = new MadeAllocator();
  const parameters = [64, 64, 32].map(size => allocator.allocate(size * MiB, stackOf('parameters')));
  for (let step = 0; step < steps; step++) {
    const activations = forward(allocator, scale);
    if (outOfMemory && step === steps - 1) {
      allocator.record('oom', 0, 900 * MiB, stackOf('softmax'));
      break;
    }
    const gradients = parameters.map((_, at) => {
      allocator.release(activations.splice(-4), stackOf('backward'));
      return allocator.allocate((at === 2 ? 32 : 64) * MiB, stackOf('backward'));
    });
    allocator.release(activations, stackOf('backward'));
    if (step === 0) for (let at = 0; at < 2; at++) allocator.allocate(160 * MiB, stackOf('step'));
    allocator.release(gradients, stackOf('step'));
    allocator.allocate(8 * MiB, stackOf('cache'));
  }
  return snapshotData(allocator.segments(), [allocator.events]);
}

function forward(allocator: MadeAllocator, scale: number): number[] {
  const layers = Array.from({length: 6}, () => [
    allocator.allocate(24 * scale * MiB, stackOf('attention')),
    allocator.allocate(48 * scale * MiB, stackOf('softmax')),
  ]);
  return [...layers.flat(), allocator.allocate(16 * MiB, stackOf('loss'))];
}

/** Returns the stack of a line of the program, from the innermost frame outwards. */
function stackOf(what: keyof typeof snapshotLines): PlainData[] {
  const own = (name: string) => frame(snapshotScript, snapshotLines[what], name);
  const main = frame(snapshotScript, 30, '<module>');
  switch (what) {
    case 'parameters':
      return [frame(`${torch}/nn/modules/linear.py`, 106, '__init__'), own('build'), main];
    case 'backward':
      return [frame(`${torch}/autograd/graph.py`, 823, '_engine_run_backward'), own('train_step'), main];
    case 'step':
      return [
        ...[148, 220].map((line, at) => frame(`${torch}/optim/adamw.py`, line, ['_init_group', 'step'][at] ?? '')),
        own('train_step'),
        main,
      ];
    case 'loss':
    case 'cache':
      return [own('train_step'), main];
    case 'attention':
    case 'softmax':
      return [own('forward'), frame(`${torch}/nn/modules/module.py`, 1787, '_call_impl'), main];
  }
}
