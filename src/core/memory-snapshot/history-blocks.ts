import {
  blockStates,
  traceActions,
  type DeviceEvents,
  type MemoryBlocks,
  type MemorySegments,
} from './memory-snapshot.js';

const alloc = traceActions.indexOf('alloc');
const free = traceActions.indexOf('free');
const allocated = blockStates.indexOf('active_allocated');

/** The blocks at the end of histories without segments. */
export class HistoryBlocks {
  readonly #devices: number[] = [];
  readonly #addresses: number[] = [];
  readonly #bytes: number[] = [];
  readonly #stacks: number[] = [];

  /**
   * Adds the blocks that a history allocates and does not free. The rest of the memory in use at its end existed
   * before, and becomes one block without a stack.
   *
   * @param levelBytes bytes in use at the end; the net sum of the events if nothing else is known
   */
  addLiveAtEnd(device: number, {length, action, address, bytes, stack}: DeviceEvents, levelBytes: number): void {
    const live = new Map<number, number>();
    for (let event = 0; event < length; event++) {
      if (action[event] === alloc) live.set(address[event], event);
      else if (action[event] === free) live.delete(address[event]);
    }
    let restBytes = levelBytes;
    for (const [place, event] of live) {
      this.#add(device, place, bytes[event], stack[event]);
      restBytes -= bytes[event];
    }
    if (restBytes > 0) this.#add(device, Number.MIN_SAFE_INTEGER, restBytes, -1);
  }

  finish(): {segments: MemorySegments; blocks: MemoryBlocks} {
    const bytes = Float64Array.from(this.#bytes);
    const blocks = {
      length: bytes.length,
      device: Int32Array.from(this.#devices),
      segment: new Int32Array(bytes.length).fill(-1),
      address: Float64Array.from(this.#addresses),
      bytes,
      requestedBytes: bytes,
      state: new Uint8Array(bytes.length).fill(allocated),
      stack: Int32Array.from(this.#stacks),
    };
    return {segments: noSegments, blocks};
  }

  #add(device: number, address: number, bytes: number, stack: number): void {
    this.#devices.push(device);
    this.#addresses.push(address);
    this.#bytes.push(bytes);
    this.#stacks.push(stack);
  }
}

const noSegments: MemorySegments = {
  length: 0,
  device: new Int32Array(0),
  address: new Float64Array(0),
  bytes: new Float64Array(0),
  stack: new Int32Array(0),
  stream: new Float64Array(0),
  isExpandable: new Uint8Array(0),
};
