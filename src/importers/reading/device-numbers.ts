import {noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import {isNatural} from './natural-number.js';

/** Checks the device numbers of a file. */
export class DeviceNumbers {
  #hasOthers = false;

  /** Returns the device of a number; GPU 0 for an invalid number, which a note then reports. */
  device(number: unknown): number {
    if (isNatural(number)) return number;
    this.#hasOthers = true;
    return 0;
  }

  notes(): TraceNote[] {
    if (!this.#hasOthers) return [];
    return [noteOf('gpu/device', 'Some events have an invalid device number. GPU Lens shows them on GPU 0.')];
  }
}
