import {damagedPickle} from './pickle-error.js';
import type {PickleMachine} from './pickle-machine.js';
import {tag} from './pickle-value.js';

/** What an opcode does; `at` and `length` are its argument's place in the buffer. */
export type Carry = (machine: PickleMachine, buffer: Buffer, at: number, length: number) => void;

export interface Opcode {
  /** Bytes of its argument; with `counted`, of the number that says how many bytes follow. */
  readonly bytes: number;
  readonly counted: boolean;
  readonly carry: Carry;
}

const plain = (bytes: number, carry: Carry): Opcode => ({bytes, counted: false, carry});
const counted = (bytes: number, carry: Carry): Opcode => ({bytes, counted: true, carry});

const text: Carry = (machine, buffer, at, length) => {
  machine.push(tag.text, machine.heap.texts.idOf(buffer.toString('utf8', at, at + length)));
};
const bytes: Carry = machine => {
  machine.push(tag.other, 0);
};
const protocol: Carry = (_machine, buffer, at) => {
  if (buffer[at] > 5) throw damagedPickle(`its protocol is ${String(buffer[at])}, and Python knows 5`);
};

/** Opcodes of protocols 2 to 5 that tell plain data. */
export const opcodes: ReadonlyMap<number, Opcode> = new Map([
  [0x80, plain(1, protocol)],
  [0x95, plain(8, () => undefined)],
  [0x4e, plain(0, machine => machine.push(tag.none, 0))],
  [0x88, plain(0, machine => machine.push(tag.boolean, 1))],
  [0x89, plain(0, machine => machine.push(tag.boolean, 0))],
  [0x4a, plain(4, (machine, buffer, at) => machine.push(tag.number, buffer.readInt32LE(at)))],
  [0x4b, plain(1, (machine, buffer, at) => machine.push(tag.number, buffer[at]))],
  [0x4d, plain(2, (machine, buffer, at) => machine.push(tag.number, buffer.readUInt16LE(at)))],
  [0x47, plain(8, (machine, buffer, at) => machine.push(tag.number, buffer.readDoubleBE(at)))],
  [0x8a, counted(1, (machine, buffer, at, length) => machine.push(tag.number, signedNumber(buffer, at, length)))],
  [0x8b, counted(4, (machine, buffer, at, length) => machine.push(tag.number, signedNumber(buffer, at, length)))],
  [0x8c, counted(1, text)],
  [0x58, counted(4, text)],
  [0x8d, counted(8, text)],
  [0x55, counted(1, text)],
  [0x54, counted(4, text)],
  [0x43, counted(1, bytes)],
  [0x42, counted(4, bytes)],
  [0x8e, counted(8, bytes)],
  [0x96, counted(8, bytes)],
  [0x7d, plain(0, machine => machine.push(tag.dictionary, machine.heap.addDictionary()))],
  [0x5d, plain(0, machine => machine.push(tag.list, machine.heap.addList()))],
  [0x8f, plain(0, machine => machine.push(tag.other, 0))],
  [0x29, plain(0, machine => machine.tuple(0))],
  [0x85, plain(0, machine => machine.tuple(1))],
  [0x86, plain(0, machine => machine.tuple(2))],
  [0x87, plain(0, machine => machine.tuple(3))],
  [0x28, plain(0, machine => machine.mark())],
  [0x74, plain(0, machine => machine.collect('other'))],
  [0x91, plain(0, machine => machine.collect('other'))],
  [0x6c, plain(0, machine => machine.collect('list'))],
  [0x64, plain(0, machine => machine.collect('dictionary'))],
  [0x90, plain(0, machine => machine.dropItems())],
  [0x30, plain(0, machine => machine.pop())],
  [0x31, plain(0, machine => machine.popMark())],
  [0x32, plain(0, machine => machine.duplicate())],
  [0x73, plain(0, machine => machine.setItem())],
  [0x75, plain(0, machine => machine.setItems())],
  [0x61, plain(0, machine => machine.append())],
  [0x65, plain(0, machine => machine.appendItems())],
  [0x68, plain(1, (machine, buffer, at) => machine.recall(buffer[at]))],
  [0x6a, plain(4, (machine, buffer, at) => machine.recall(buffer.readUInt32LE(at)))],
  [0x71, plain(1, (machine, buffer, at) => machine.memoize(buffer[at]))],
  [0x72, plain(4, (machine, buffer, at) => machine.memoize(buffer.readUInt32LE(at)))],
  [0x94, plain(0, machine => machine.memoize())],
]);

export const stopOpcode = 0x2e;

/** A whole number, lowest byte first; the last byte's highest bit is its sign. Exact to 2^53. */
function signedNumber(buffer: Buffer, at: number, length: number): number {
  if (length === 0) return 0;
  // Longer than any address or time: of no use, and not worth its bytes.
  if (length > 16) return Number.NaN;
  let value = 0;
  for (let i = length - 1; i >= 0; i--) value = value * 256 + buffer[at + i];
  return buffer[at + length - 1] >= 128 ? value - 256 ** length : value;
}
