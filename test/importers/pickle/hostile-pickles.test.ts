import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {opcodes} from '../../../src/importers/pickle/opcodes.js';
import {refusedOpcodes, textOpcodes} from '../../../src/importers/pickle/refused-opcodes.js';
import {damaged, harms, hostilePickle, snapshotToDamage, traceOfHarm} from '../../support/hostile-pickles.js';
import {project} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';
import {readDamaged} from '../../support/read-damaged.js';
import {readPickle} from '../../support/read-snapshot.js';

const head = Buffer.from([0x80, 4]);

function uint(bytes: 4 | 8, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeUInt32LE(value);
  else buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

const repeated = (part: string, times: number): Buffer =>
  Buffer.concat([head, Buffer.from(part.repeat(times), 'latin1'), Buffer.from('.')]);

describe('hostile pickles', () => {
  it('10,000 that would import, call or build something end at that instruction, which the sentence names', () => {
    const random = seededRandom(30);
    const met = new Set<string>();
    for (let i = 0; i < 10_000; i++) {
      const {bytes, name} = hostilePickle(random);
      met.add(name);
      expect(() => readPickle(bytes, 1 + Math.floor(random() * 50))).toThrow(
        expect.objectContaining({
          code: 'import/not-plain-data',
          message: expect.stringContaining(` ${name},`) as string,
        }) as Error,
      );
    }
    expect(met).toEqual(new Set(harms.map(([name]) => name)));
    expect(existsSync(traceOfHarm)).toBe(false);
  });

  it('no instruction that Python knows is both refused and carried out, and none is unknown', () => {
    const known = new Set([...opcodes.keys(), ...refusedOpcodes.keys(), ...textOpcodes, 0x2e]);
    expect(known.size).toBe(opcodes.size + refusedOpcodes.size + textOpcodes.size + 1);
    // pickletools lists 68 opcodes of protocols 0 to 5.
    expect(known.size).toBe(68);
  });

  it('the importer has no means of running what a file says', () => {
    const folder = join(project, 'src', 'importers', 'pickle');
    const texts = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts)
      expect(text).not.toMatch(/\beval\b|new Function|child_process|\brequire\(|import\(|node:vm/);
  });

  it.each<readonly [string, Buffer, string]>([
    [
      'a memo number of four thousand million',
      Buffer.concat([head, Buffer.from('Nr'), uint(4, 4e9)]),
      'import/damaged',
    ],
    ['BINBYTES8 that says 2^60', Buffer.concat([head, Buffer.from([0x8e]), uint(8, 2 ** 60)]), 'import/too-large'],
    ['BINUNICODE8 that says 2^63', Buffer.concat([head, Buffer.from([0x8d]), uint(8, 2 ** 63)]), 'import/too-large'],
    ['BYTEARRAY8 that says 2^33', Buffer.concat([head, Buffer.from([0x96]), uint(8, 2 ** 33)]), 'import/too-large'],
    ['LONG4 that says 2^31', Buffer.concat([head, Buffer.from([0x8b]), uint(4, 2 ** 31)]), 'import/too-large'],
    [
      'BINUNICODE that says more than there is',
      Buffer.concat([head, Buffer.from('X'), uint(4, 1e6)]),
      'import/unknown-format',
    ],
    ['a million marks', repeated('(', 1e6), 'import/too-large'],
    ['a million lists in lists', repeated(']', 1e6).subarray(0, -1), 'import/unknown-format'],
    ['20 million dictionaries', repeated('}', 20e6), 'import/too-large'],
    ['20 million memo entries', repeated('N\x94', 20e6), 'import/too-large'],
    [
      '20 million copies of one value',
      Buffer.concat([head, Buffer.from(']'), Buffer.alloc(30e6, '2')]),
      'import/too-large',
    ],
    ['a reference to nothing', repeated('h\x05', 1), 'import/damaged'],
    ['a value that is not there', repeated('s', 1), 'import/damaged'],
    ['a mark that is not there', repeated('u', 1), 'import/damaged'],
    ['keys of a list', repeated(']NNs', 1), 'import/damaged'],
    ['items of a dictionary', repeated('}Na', 1), 'import/damaged'],
    ['a key without a value', repeated('}(Nu', 1), 'import/damaged'],
    ['a set below a mark', repeated('(N\x90', 1), 'import/damaged'],
    ['a list in itself', repeated('](h\x00e', 1), 'import/damaged'],
    ['an instruction that is none', repeated('\xff', 1), 'import/damaged'],
  ])('%s ends with a sentence', (_what, bytes, code) => {
    expect(readDamaged(bytes)).toBe(code);
  });

  it('a list in itself, and a snapshot in itself, are read to their end', () => {
    expect(readDamaged(repeated(']\x94(h\x00h\x00e', 1))).toBe('import/unknown-format');
    const itself = Buffer.concat([
      head,
      Buffer.from('}\x94(\x8c\x08segments]\x94h\x01ah\x01\x8c\x0ddevice_tracesh\x01u.', 'latin1'),
    ]);
    expect(() => readDamaged(itself)).not.toThrow();
  });

  it('one list of events, told a thousand times by reference, does not fill the memory', () => {
    const events = Buffer.concat([
      Buffer.from(']\x94(', 'latin1'),
      Buffer.concat(Array.from({length: 100_000}, () => Buffer.from('}\x8c\x06actionNs', 'latin1'))),
      Buffer.from('e', 'latin1'),
    ]);
    const key = Buffer.from('}\x8c\x0ddevice_traces](', 'latin1');
    const bytes = Buffer.concat([head, key, events, Buffer.from('h\x00'.repeat(1000), 'latin1'), Buffer.from('es.')]);
    const traces = readPickle(bytes)?.events ?? [];
    expect(traces.map(({length}) => length)).toEqual(Array.from({length: 1001}, () => 100_000));
    // All of them are the same columns.
    expect(new Set(traces.map(({address}) => address.buffer)).size).toBe(1);
  });

  it('2,000 damaged snapshots end with a sentence, or with rows that add up', () => {
    const random = seededRandom(31);
    const whole = snapshotToDamage();
    const ends = new Map<string | null, number>();
    for (let i = 0; i < 2000; i++) {
      const end = readDamaged(damaged(whole, random));
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    // Both happen, so that the test is of something.
    expect(ends.get(null)).toBeGreaterThan(50);
    expect(ends.get('import/damaged')).toBeGreaterThan(50);
  });
});
