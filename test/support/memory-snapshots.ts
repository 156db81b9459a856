import type {PlainData} from './pickle-writer.js';

/** A frame in PyTorch's form. */
export const frame = (filename: string, line: number, name: string): PlainData => ({filename, line, name});

/** Returns a stack with the user's own line in `/home/me/train.py`, called by PyTorch. */
export function ownStack(line: number): PlainData[] {
  const library = '/usr/lib/python3.12/site-packages/torch/nn/modules/module.py';
  return [
    frame(library, 1787, '_call_impl'),
    frame('/home/me/train.py', line, 'step'),
    frame('/home/me/run.py', 1, '<module>'),
  ];
}

/** Returns an event of the allocator's history. */
export function event(action: string, addr: number, size: number, frames: PlainData = []): PlainData {
  return {
    action,
    addr,
    size,
    stream: 0,
    time_us: 1_773_270_053_858_957,
    compile_context: 'N/A',
    user_metadata: '',
    frames,
  };
}

/** Returns a block; its size is the requested one, rounded up to 512. */
export function block(
  address: number,
  requested: number,
  frames: PlainData = [],
  state = 'active_allocated',
): PlainData {
  return {address, size: Math.ceil(requested / 512) * 512, requested_size: requested, state, frames};
}

/** Returns a segment with its blocks. */
export function segment(address: number, bytes: number, blocks: readonly PlainData[], device = 0): PlainData {
  return {
    device,
    address,
    total_size: bytes,
    stream: 0,
    segment_type: 'large',
    segment_pool_id: [0, 0],
    is_expandable: false,
    frames: [],
    blocks,
  };
}

/** Returns a snapshot as pickled by `torch.cuda.memory._dump_snapshot`. */
export function snapshotData(segments: readonly PlainData[], traces: readonly (readonly PlainData[])[]): PlainData {
  return {segments, device_traces: traces, allocator_settings: {expandable_segments: false}, external_annotations: []};
}

/**
 * Returns a history that begins in the middle. The block at 4096 is live throughout; the one at 8192 is freed, then
 * allocated again. A segment is released during the history, and the last one is added.
 *
 *     after event    -    0    1    2    3    4    5    6    7    8
 *     4096         100  100  100  100  100  100  100  100  100  100
 *     8192          50   50    0    0    0    0  700  700  700  700
 *     16384          0    0    0    0   30   30   30   30    0    0
 */
export function smallSnapshot(): PlainData {
  const [first, second] = [ownStack(10), ownStack(20)];
  return snapshotData(
    [segment(4096, 4096, [block(4096, 100)]), segment(8192, 8192, [block(8192, 700, second)])],
    [
      [
        event('snapshot', 0, 0),
        event('free_requested', 8192, 50, first),
        event('free_completed', 8192, 50, first),
        event('alloc', 16384, 30, first),
        event('segment_free', 65536, 2048),
        event('alloc', 8192, 700, second),
        event('segment_alloc', 8192, 8192),
        event('free_requested', 16384, 30),
        event('free_completed', 16384, 30),
      ],
    ],
  );
}
