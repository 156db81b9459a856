import {block, event, ownStack, segment, snapshotData} from './memory-snapshots.js';
import {pickleOf} from './pickle-writer.js';

/** The trace of a pickle that was executed: a file that nobody else writes. */
export const traceOfHarm = 'gpu-lens-harm';

const line = (...parts: string[]): Buffer => Buffer.from(parts.map(part => `${part}\n`).join(''), 'latin1');
const short = (text: string): Buffer => Buffer.concat([Buffer.from([0x8c, text.length]), Buffer.from(text)]);
const command = short(`touch ${traceOfHarm}`);
const op = (...codes: (string | number)[]): Buffer =>
  Buffer.concat(codes.map(code => (typeof code === 'string' ? Buffer.from(code, 'latin1') : Buffer.from([code]))));

/** By opcode name, bytes that make Python import, call or build something. */
export const harms: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['GLOBAL', Buffer.concat([op('c'), line('os', 'system')])],
  ['GLOBAL', Buffer.concat([op('c'), line('os', 'system'), command, op(0x85, 'R')])],
  ['GLOBAL', Buffer.concat([op('c'), line('builtins', 'eval'), command, op(0x85, 0x81)])],
  ['STACK_GLOBAL', Buffer.concat([short('os'), short('system'), op(0x93), command, op(0x85, 'R')])],
  ['REDUCE', Buffer.concat([op('N'), command, op(0x85, 'R')])],
  ['BUILD', op('}', '}', 'b')],
  ['INST', Buffer.concat([op('('), command, op('i'), line('os', 'system')])],
  ['OBJ', Buffer.concat([op('(', 'N'), command, op('o')])],
  ['NEWOBJ', op('N', ')', 0x81)],
  ['NEWOBJ_EX', op('N', ')', '}', 0x92)],
  ['EXT1', op(0x82, 1)],
  ['EXT2', op(0x83, 1, 0)],
  ['EXT4', op(0x84, 1, 0, 0, 0)],
  ['PERSID', Buffer.concat([op('P'), line('1')])],
  ['BINPERSID', op('N', 'Q')],
  ['NEXT_BUFFER', op(0x97)],
  ['READONLY_BUFFER', op('N', 0x98)],
];

/** Returns a pickle with a harmful opcode between two complete values of plain data, and the opcode's name. */
export function hostilePickle(random: () => number): {bytes: Buffer; name: string} {
  const [name, harm] = harms[Math.floor(random() * harms.length)] ?? ['', Buffer.alloc(0)];
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const plain = (): Buffer => {
    const values = [1, -5, 2.5, 'alloc', [], {}, null, true, ownStack(3), event('alloc', 4096, 9), {frames: [[]]}];
    return pickleOf(pick(values)).subarray(2, -1);
  };
  const before = Array.from({length: Math.floor(random() * 6)}, plain);
  const after = Array.from({length: Math.floor(random() * 3)}, plain);
  const opening = pick([op(), op('('), op('}', '('), op(']', '('), op('(', '(')]);
  const head = Buffer.from([0x80, 2 + Math.floor(random() * 4)]);
  return {name, bytes: Buffer.concat([head, opening, ...before, harm, ...after, op('.')])};
}

/** Returns a small snapshot with every kind of row, to be damaged. */
export function snapshotToDamage(): Buffer {
  const trace = Array.from({length: 60}, (_, i) =>
    event(['alloc', 'free_requested', 'segment_map', 'oom'][i % 4] ?? '', 4096 + 512 * (i % 7), 64 + i, ownStack(i)),
  );
  const blocks = Array.from({length: 7}, (_, i) => block(4096 + 512 * i, 64 + i, ownStack(i)));
  return pickleOf(snapshotData([segment(4096, 8192, blocks)], [trace, []]));
}

/** Returns a copy with some bytes changed, cut, doubled or moved. */
export function damaged(bytes: Buffer, random: () => number): Buffer {
  let copy = Buffer.from(bytes);
  for (let i = 1 + Math.floor(random() * 4); i > 0; i--) {
    const at = Math.floor(random() * copy.length);
    const length = Math.floor(random() * 40);
    const kind = Math.floor(random() * 4);
    if (kind === 0) copy[at] = Math.floor(random() * 256);
    else if (kind === 1) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)]);
    else if (kind === 2) copy = Buffer.concat([copy.subarray(0, at + length), copy.subarray(at)]);
    else copy.copy(copy, Math.floor(random() * copy.length), at, at + length);
    if (copy.length === 0) return bytes;
  }
  return copy;
}
