import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {argumentBytes, carryOut, carryOutCounted, isCounted, notAnOpcode, stopOpcode} from './opcodes.js';
import {damagedPickle} from './pickle-error.js';
import type {PickleMachine} from './pickle-machine.js';
import {refusedOpcodes, textOpcodes} from './refused-opcodes.js';

/** No text of a snapshot is longer, and texts are held in memory whole. */
const longestValueBytes = 64 << 20;

/** So that the next chunks fit, whatever is left of the one before. */
const spareBytes = 64 << 10;

/** Reads a pickle chunk by chunk. It never calls, imports or builds anything: only plain data is supported. */
export class PickleStream {
  /** The unread rest of the previous chunk, and room for a whole chunk after it. */
  #buffer: Buffer = Buffer.alloc(0);
  #restBytes = 0;
  #isDone = false;

  constructor(private readonly machine: PickleMachine) {}

  /** Whether the end of the pickle was read; later bytes of the file do not belong to it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes the next bytes of the file. @throws TraceError for anything but plain data, or if it is damaged or too large */
  write(chunk: Uint8Array): void {
    if (this.#isDone) return;
    const end = this.#restBytes + chunk.length;
    if (end > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(end + spareBytes);
      this.#buffer.copy(grown, 0, 0, this.#restBytes);
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#restBytes);
    const used = this.#run(this.#buffer.subarray(0, end));
    this.#buffer.copyWithin(0, used, end);
    this.#restBytes = end - used;
  }

  /** Carries out complete opcodes. Returns the number of bytes they take. */
  #run(buffer: Buffer): number {
    const {machine} = this;
    const end = buffer.length;
    let at = 0;
    while (at < end) {
      const code = buffer[at];
      if (code === stopOpcode) {
        this.#isDone = true;
        return end;
      }
      const bytes = argumentBytes[code];
      if (bytes === notAnOpcode) throw notPlain(code);
      const argument = at + 1 + bytes;
      if (argument > end) return at;
      if (isCounted[code] === 0) {
        carryOut(machine, code, buffer, at + 1);
        at = argument;
      } else {
        const length = lengthAt(buffer, at + 1, bytes);
        if (argument + length > end) return at;
        carryOutCounted(machine, code, buffer, argument, length);
        at = argument + length;
      }
    }
    return at;
  }
}

/** Returns the length that a value claims. @throws TraceError if it is too long for a snapshot */
function lengthAt(buffer: Buffer, at: number, bytes: number): number {
  const length =
    bytes === 1
      ? buffer[at]
      : bytes === 4
        ? buffer.readUInt32LE(at)
        : buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4) * 2 ** 32;
  if (length <= longestValueBytes) return length;
  throw new TraceError(
    'import/too-large',
    say('The pickle contains a value of more than 64 MB, which no memory snapshot has.'),
  );
}

function notPlain(code: number): TraceError {
  const name = refusedOpcodes.get(code);
  if (name !== undefined) {
    return new TraceError(
      'import/not-plain-data',
      say(
        'The pickle contains the instruction {0}, which creates Python objects. GPU Lens reads only plain data and runs no code.',
        name,
      ),
    );
  }
  if (textOpcodes.has(code)) {
    return new TraceError(
      'import/not-plain-data',
      say(
        'The pickle uses protocol 0 or 1. Write it again with torch.cuda.memory._dump_snapshot, which uses a later one.',
      ),
    );
  }
  return damagedPickle(say('byte {0} is not an instruction', `0x${code.toString(16).padStart(2, '0')}`));
}
