import type {DeviceEvents, MemorySnapshot} from './memory-snapshot.js';

const none: DeviceEvents = {
  length: 0,
  action: new Uint8Array(0),
  address: new Float64Array(0),
  bytes: new Float64Array(0),
  stack: new Int32Array(0),
  timeUs: null,
  stream: null,
  category: null,
  metadata: null,
  reservedBytes: null,
};

/** Returns the history of a device; one without events if the snapshot has none. */
export function eventsOf({events}: Pick<MemorySnapshot, 'events'>, device: number): DeviceEvents {
  return device >= 0 && device < events.length ? events[device] : none;
}
