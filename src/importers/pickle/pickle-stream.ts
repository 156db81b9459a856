import {TraceError} from '../../core/base/errors.js';
import {opcodes, stopOpcode, type Opcode} from './opcodes.js';
import {damagedPickle} from './pickle-error.js';
import type {PickleMachine} from './pickle-machine.js';
import {refusedOpcodes, textOpcodes} from './refused-opcodes.js';

/** No text of a snapshot is longer; a longer one would have to lie in memory whole. */
const longestValueBytes = 64 << 20;

const table: (Opcode | undefined)[] = Array.from({length: 256}, (_, code) => opcodes.get(code));

/** Reads a pickle chunk by chunk. Nothing in it is called, imported or built: it can tell plain data alone. */
export class PickleStream {
  #rest: Buffer = Buffer.alloc(0);
  #isDone = false;

  constructor(private readonly machine: PickleMachine) {}

  /** Whether the pickle's end was read; what follows in the file is none of it. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Takes the next bytes of the file. @throws TraceError for what is no plain data, damaged or too large */
  write(chunk: Uint8Array): void {
    if (this.#isDone) return;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const buffer = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const used = this.#run(buffer);
    // The chunk is only valid during this call.
    this.#rest = Buffer.from(buffer.subarray(used));
  }

  /** Carries out whole opcodes; returns how many bytes they take. */
  #run(buffer: Buffer): number {
    const {machine} = this;
    const end = buffer.length;
    let at = 0;
    while (at < end) {
      const code = buffer[at];
      // References into the memo are most of a large snapshot.
      if (code === 0x68 && at + 2 <= end) {
        machine.recall(buffer[at + 1]);
        at += 2;
        continue;
      }
      if (code === 0x6a && at + 5 <= end) {
        machine.recall(
          (buffer[at + 1] | (buffer[at + 2] << 8) | (buffer[at + 3] << 16) | (buffer[at + 4] << 24)) >>> 0,
        );
        at += 5;
        continue;
      }
      if (code === stopOpcode) {
        this.#isDone = true;
        return end;
      }
      const opcode = table[code];
      if (!opcode) throw notPlain(code);
      const argument = at + 1 + opcode.bytes;
      if (argument > end) return at;
      const length = opcode.counted ? lengthAt(buffer, at + 1, opcode.bytes) : 0;
      if (argument + length > end) return at;
      opcode.carry(machine, buffer, opcode.counted ? argument : at + 1, length);
      at = argument + length;
    }
    return at;
  }
}

/** How many bytes a value says that it has. @throws TraceError where no snapshot has so many */
function lengthAt(buffer: Buffer, at: number, bytes: number): number {
  const length =
    bytes === 1
      ? buffer[at]
      : bytes === 4
        ? buffer.readUInt32LE(at)
        : buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4) * 2 ** 32;
  if (length <= longestValueBytes) return length;
  throw new TraceError('import/too-large', 'The pickle says that one value has more than 64 MB: no snapshot has such.');
}

function notPlain(code: number): TraceError {
  const name = refusedOpcodes.get(code);
  if (name !== undefined) {
    return new TraceError(
      'import/not-plain-data',
      `The pickle has the instruction ${name}, which makes Python objects: GPU Lens reads plain data only, and runs nothing.`,
    );
  }
  if (textOpcodes.has(code)) {
    return new TraceError(
      'import/not-plain-data',
      'The pickle is of protocol 0 or 1: write it anew with torch.cuda.memory._dump_snapshot, which uses a later one.',
    );
  }
  return damagedPickle(`byte 0x${code.toString(16).padStart(2, '0')} is no instruction`);
}
