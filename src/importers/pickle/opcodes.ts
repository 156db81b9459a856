import {say} from '../../core/base/say.js';
import {damagedPickle} from './pickle-error.js';
import type {PickleMachine} from './pickle-machine.js';
import {tag} from './pickle-value.js';

/** Carries out an opcode; `at` and `length` locate its argument in the buffer. */
type Carry = (machine: PickleMachine, buffer: Buffer, at: number, length: number) => void;

interface Opcode {
  /** Number of bytes of its argument; with `isCounted`, of the number that gives the length that follows. */
  readonly bytes: number;
  readonly isCounted: boolean;
  readonly carry: Carry;
}

const plain = (bytes: number, carry: Carry): Opcode => ({bytes, isCounted: false, carry});
const prefixed = (bytes: number, carry: Carry): Opcode => ({bytes, isCounted: true, carry});

const text: Carry = (machine, buffer, at, length) => {
  machine.push(tag.text, machine.heap.texts.idAt(buffer, at, length));
};
const bytes: Carry = machine => {
  machine.push(tag.other, 0);
};
const protocol: Carry = (_machine, buffer, at) => {
  if (buffer[at] > 5) throw damagedPickle(say('its protocol is {0}, and Python has none above 5', buffer[at]));
};
/**
 * A placeholder for opcodes that `carryOut` handles itself: a large snapshot has millions, and a switch is faster than
 * a call.
 */
const common: Carry = () => undefined;

/** The opcodes of protocols 2 to 5 for plain data. */
export const opcodes: ReadonlyMap<number, Opcode> = new Map([
  [0x80, plain(1, protocol)],
  [0x95, plain(8, () => undefined)],
  [0x4e, plain(0, machine => machine.push(tag.none, 0))],
  [0x88, plain(0, machine => machine.push(tag.boolean, 1))],
  [0x89, plain(0, machine => machine.push(tag.boolean, 0))],
  [0x4a, plain(4, (machine, buffer, at) => machine.push(tag.number, uint32At(buffer, at) | 0))],
  [0x4b, plain(1, common)],
  [0x4d, plain(2, (machine, buffer, at) => machine.push(tag.number, buffer[at] | (buffer[at + 1] << 8)))],
  [0x47, plain(8, (machine, buffer, at) => machine.push(tag.number, buffer.readDoubleBE(at)))],
  [0x8a, prefixed(1, (machine, buffer, at, length) => machine.push(tag.number, signedNumber(buffer, at, length)))],
  [0x8b, prefixed(4, (machine, buffer, at, length) => machine.push(tag.number, signedNumber(buffer, at, length)))],
  [0x8c, prefixed(1, text)],
  [0x58, prefixed(4, text)],
  [0x8d, prefixed(8, text)],
  [0x55, prefixed(1, text)],
  [0x54, prefixed(4, text)],
  [0x43, prefixed(1, bytes)],
  [0x42, prefixed(4, bytes)],
  [0x8e, prefixed(8, bytes)],
  [0x96, prefixed(8, bytes)],
  [0x7d, plain(0, common)],
  [0x5d, plain(0, common)],
  [0x8f, plain(0, machine => machine.push(tag.other, 0))],
  [0x29, plain(0, machine => machine.tuple(0))],
  [0x85, plain(0, machine => machine.tuple(1))],
  [0x86, plain(0, machine => machine.tuple(2))],
  [0x87, plain(0, machine => machine.tuple(3))],
  [0x28, plain(0, common)],
  [0x74, plain(0, machine => machine.collect('other'))],
  [0x91, plain(0, machine => machine.collect('other'))],
  [0x6c, plain(0, machine => machine.collect('list'))],
  [0x64, plain(0, machine => machine.collect('dictionary'))],
  [0x90, plain(0, machine => machine.dropItems())],
  [0x30, plain(0, machine => machine.pop())],
  [0x31, plain(0, machine => machine.popMark())],
  [0x32, plain(0, machine => machine.duplicate())],
  [0x73, plain(0, machine => machine.setItem())],
  [0x75, plain(0, common)],
  [0x61, plain(0, machine => machine.append())],
  [0x65, plain(0, common)],
  [0x68, plain(1, common)],
  [0x6a, plain(4, common)],
  [0x71, plain(1, (machine, buffer, at) => machine.memoize(buffer[at]))],
  [0x72, plain(4, (machine, buffer, at) => machine.memoize(uint32At(buffer, at)))],
  [0x94, plain(0, common)],
]);

export const stopOpcode = 0x2e;

/** Marks opcodes in `argumentBytes` that are not for plain data. */
export const notAnOpcode = 255;
/** By opcode, the size of its argument, or of the number that gives the argument's length. */
export const argumentBytes = Uint8Array.from({length: 256}, (_, code) => opcodes.get(code)?.bytes ?? notAnOpcode);
/** By opcode, 1 if a number gives the length of its argument. */
export const isCounted = Uint8Array.from({length: 256}, (_, code) => Number(opcodes.get(code)?.isCounted ?? false));

const carries: readonly (Carry | undefined)[] = Array.from({length: 256}, (_, code) => opcodes.get(code)?.carry);

/** Carries out an opcode with an argument of fixed length; `at` locates the argument in the buffer. */
export function carryOut(machine: PickleMachine, code: number, buffer: Buffer, at: number): void {
  switch (code) {
    case 0x68:
      machine.recall(buffer[at]);
      break;
    case 0x6a:
      machine.recall(uint32At(buffer, at));
      break;
    case 0x94:
      machine.memoizeNext();
      break;
    case 0x28:
      machine.mark();
      break;
    case 0x7d:
      machine.push(tag.dictionary, machine.heap.addDictionary());
      break;
    case 0x75:
      machine.setItems();
      break;
    case 0x5d:
      machine.push(tag.list, machine.heap.addList());
      break;
    case 0x65:
      machine.appendItems();
      break;
    case 0x4b:
      machine.push(tag.number, buffer[at]);
      break;
    default:
      carries[code]?.(machine, buffer, at, 0);
  }
}

/** Carries out an opcode whose argument has `length` bytes from `at`. */
export function carryOutCounted(
  machine: PickleMachine,
  code: number,
  buffer: Buffer,
  at: number,
  length: number,
): void {
  carries[code]?.(machine, buffer, at, length);
}

/** A number of four bytes, lowest first. Unlike `readUInt32LE`, its bounds are not checked: the caller has done so. */
function uint32At(buffer: Buffer, at: number): number {
  return (buffer[at] | (buffer[at + 1] << 8) | (buffer[at + 2] << 16) | (buffer[at + 3] << 24)) >>> 0;
}

/** A whole number, lowest byte first; the last byte's highest bit is its sign. Exact to 2^53. */
function signedNumber(buffer: Buffer, at: number, length: number): number {
  if (length === 0) return 0;
  // Too long for an address or a time, and so not needed.
  if (length > 16) return Number.NaN;
  let value = 0;
  for (let i = at + length - 1; i >= at; i--) value = value * 256 + buffer[i];
  return buffer[at + length - 1] >= 128 ? value - 256 ** length : value;
}
