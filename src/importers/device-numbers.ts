import type {TraceNote} from '../core/trace/trace.js';

/** Whether something can be a device's number: CUDA's ordinals are an `int`. */
export function isDeviceNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31;
}

/** The numbers of devices that a file gives. */
export class DeviceNumbers {
  #hasOthers = false;

  /** The device with a number; GPU 0 for what can be no device's, which a note says then. */
  device(number: number): number {
    if (isDeviceNumber(number)) return number;
    this.#hasOthers = true;
    return 0;
  }

  notes(): TraceNote[] {
    if (!this.#hasOthers) return [];
    return [{code: 'gpu/device', text: 'Some events name a device by no possible number: they are shown on GPU 0.'}];
  }
}
