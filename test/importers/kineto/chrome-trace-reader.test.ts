import {describe, expect, it} from 'vitest';
import {ChromeTraceReader} from '../../../src/importers/kineto/chrome-trace-reader.js';
import type {ChromeTraceOutcome} from '../../../src/importers/kineto/chrome-trace-sink.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';

interface Read {
  readonly outcome: ChromeTraceOutcome;
  readonly names: string[];
  readonly offsets: number[];
  readonly metadata: Record<string, string>;
}

/** Reads a text in chunks of `chunkBytes`, with both scanners or the lenient one alone. */
function read(text: string | Uint8Array, chunkBytes = Infinity, isLenient = true): Read {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const names: string[] = [];
  const offsets: number[] = [];
  const metadata: Record<string, string> = {};
  const texts: string[] = [];
  const reader = new ChromeTraceReader(
    {
      text: (number, decoded) => (texts[number] = decoded),
      events: ({columns, length}) => {
        for (let row = 0; row < length; row++) {
          names.push(texts[columns.name[row] ?? -1] ?? '');
          offsets.push(columns.offset[row] ?? NaN);
        }
      },
      metadata: (key, json) => (metadata[key] = json),
    },
    {isLenient},
  );
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return {outcome: reader.end(), names, offsets, metadata};
}

const events = [
  kineto.range('ProfilerStep#1', 1712195495519689.0, 200.5),
  kineto.op('aten::mm "quoted" \\ \u00e9 \u{1f600}', 1712195495519690.25, 100, {
    'External id': 5,
    'Input Dims': [[4, 8], [], [[1, '}],"']]],
    'Call stack': 'a.py(1): f;"b"',
    'Ev Idx': null,
    nested: {deep: [{ph: 'X'}]},
  }),
  kineto.call(9, 1712195495519695, 3),
  kineto.kernel(9, 1712195495519699, 40, {'est. achieved occupancy %': 0, grid: [1, 2, 3]}),
];
const whole = kinetoText(events, {distributedInfo: {rank: 3, note: ']}"{['}});
const names = events.map(({name}) => name);

describe('ChromeTraceReader', () => {
  it('reads events, and the members around them', () => {
    const {outcome, metadata, ...found} = read(whole);
    expect(found.names).toEqual(names);
    expect(outcome).toEqual({
      events: 4,
      malformedEvents: 0,
      isTruncated: false,
      hasTrailingData: false,
      hasTraceEvents: true,
    });
    expect(JSON.parse(metadata['distributedInfo'] ?? '')).toEqual({rank: 3, note: ']}"{['});
    expect(metadata['schemaVersion']).toBe('1');
  });

  it('hands on a batch before it is full where the texts in it are long', () => {
    const lengths: number[] = [];
    const offsets: number[] = [];
    const reader = new ChromeTraceReader({
      text: () => undefined,
      events: ({length, texts, columns}) => {
        lengths.push(length);
        for (const [row, text] of texts) {
          expect(text.startsWith('{"ph":"C"')).toBe(true);
          offsets.push(columns.offset[row] ?? NaN);
        }
      },
      metadata: () => undefined,
    });
    const one = JSON.stringify({ph: 'C', name: 'c', ts: 1, args: {text: 'x'.repeat(3e6)}});
    reader.push(new TextEncoder().encode(`[${Array.from({length: 13}, () => one).join(',')}]`));
    expect(reader.end()).toMatchObject({events: 13, malformedEvents: 0});
    expect(lengths).toEqual([3, 3, 3, 3, 1]);
    expect(offsets).toEqual(Array.from({length: 13}, (_, i) => 1 + i * (one.length + 1)));
  });

  it('says where each event begins', () => {
    const bytes = new TextEncoder().encode(whole);
    for (const chunkBytes of [1, 7, Infinity]) {
      for (const offset of read(whole, chunkBytes).offsets) expect(bytes[offset]).toBe(0x7b);
    }
    expect(read(whole, 13).offsets).toEqual(read(whole).offsets);
  });

  it.each(Array.from({length: 99}, (_, i) => i + 1))('reads the same in chunks of %i bytes', chunkBytes => {
    expect(read(whole, chunkBytes)).toEqual(read(whole));
  });

  it('reads a bare array, a byte order mark, CRLF, no spaces at all', () => {
    expect(read(JSON.stringify(events)).names).toEqual(names);
    expect(read(`\ufeff${whole}`).names).toEqual(names);
    expect(read(whole.replaceAll('\n', '\r\n')).names).toEqual(names);
    expect(read(JSON.stringify(JSON.parse(whole))).names).toEqual(names);
  });

  it('reads members after the events, and several members of one name', () => {
    const {metadata, outcome} = read('{"traceEvents": [], "traceName": "a", "traceName": "b"}');
    expect(metadata).toEqual({traceName: '"b"'});
    expect(outcome.isTruncated).toBe(false);
  });

  it('notes what follows the end', () => {
    expect(read(`${whole}\n`).outcome.hasTrailingData).toBe(false);
    expect(read(`${whole}\n{"traceEvents": []}`).outcome.hasTrailingData).toBe(true);
  });

  it('passes over a large member without keeping it', () => {
    const {metadata, names: found} = read(
      `{"big": "${'x'.repeat(3 << 20)}", "traceEvents": ${JSON.stringify(events)}}`,
      65536,
    );
    expect(metadata).toEqual({});
    expect(found).toEqual(names);
  });
});

describe('ChromeTraceReader, truncated', () => {
  const bytes = new TextEncoder().encode(whole);
  const starts = read(whole).offsets;
  // Events are separated by a comma, a line feed and two blanks; the last one is followed by "\n ]".
  const ends = starts.map((_, i) => (starts[i + 1] ?? bytes.lastIndexOf(0x5d) + 2) - 4);

  it('gives the events before the cut, wherever it is', () => {
    for (let length = 0; length < bytes.length - 1; length++) {
      const {outcome, names: found} = read(bytes.subarray(0, length));
      expect(outcome.isTruncated).toBe(true);
      expect(outcome.malformedEvents).toBe(0);
      expect(found).toEqual(names.slice(0, ends.filter(end => end <= length).length));
    }
  });
});

describe('ChromeTraceReader, malformed', () => {
  const good = (name: string) => JSON.stringify(kineto.op(name, 1, 2, {'External id': 3}));
  const array = (...parts: string[]) => `{"traceEvents": [\n${parts.join(',\n')}\n]}`;

  it.each([
    ['an unescaped quote in a name', '{"ph": "X", "name": "q"uote/back", "ts": 1, "args": {"External id": 3}}'],
    ['a value without quotes', '{"ph": "X", "name": oh no, "ts": 1}'],
    ['a missing colon', '{"ph" "X"}'],
    ['a key without a value', '{"ph": }'],
    ['an object without a phase', '{"name": "x"}'],
    ['garbage between events', 'garbage'],
  ])('loses only the event with %s', (_what, bad) => {
    for (const chunkBytes of [1, 3, 10, 64, Infinity]) {
      const {names: found, outcome} = read(array(good('a'), bad, good('b'), good('c')), chunkBytes);
      expect(found).toEqual(['a', 'b', 'c']);
      expect(outcome).toMatchObject({malformedEvents: 1, isTruncated: false});
    }
  });

  it.each([
    ['a trailing comma', array(good('a'), good('b')).replace('\n]', ',\n]')],
    ['two commas', array(good('a'), '', good('b'))],
    ['a stray comma in an event', array(good('a'), '{"ph": "X",, "name": "b", "args": {,},}')],
    ['NaN and Infinity', array(good('a'), '{"ph": "X", "name": "b", "args": {"x": NaN, "y": -Infinity, "z": inf}}')],
    ['control characters', array(good('a'), '{"ph": "X", "name": "b", "args": {"x": "\t\n\u0001"}}')],
    ['a zero byte in a string', array(good('a'), '{"ph": "X", "name": "b", "args": {"x": "\0"}}')],
    ['duplicate keys', array(good('a'), '{"ph": "X", "name": "a", "name": "b"}')],
    ['blank lines before commas', array(good('a'), '{"ph": "X"\n\n , "name": "b"  ,\n\n "dur": 5 ,\n "args": {}}')],
  ])('takes %s as it is', (_what, text) => {
    for (const chunkBytes of [1, 5, Infinity]) {
      const {names: found, outcome} = read(text, chunkBytes);
      expect(found).toEqual(['a', 'b']);
      expect(outcome.malformedEvents).toBe(0);
    }
  });

  it('decodes bad UTF-8 and unknown escapes to something readable', () => {
    const raw = Buffer.concat([
      Buffer.from('[{"ph":"X","name":"C:\\path\\u00e9 '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}]'),
    ]);
    expect(read(raw).names).toEqual(['C:\\path\u00e9 \ufffd\ufffd']);
  });

  it('does not grow with the depth of nesting', () => {
    const bomb = `{"ph": "X", "name": "b", "args": {"x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    expect(read(array(good('a'), bomb, good('c')), 65_536).names).toEqual(['a', 'b', 'c']);
  });

  it('passes over an event that is longer than any profiler writes', () => {
    const huge = `{"ph": "X", "name": "${'x'.repeat(70 << 20)}", "ts": 1}`;
    const {names: found, outcome} = read(array(good('a'), huge, good('b')), 4 << 20);
    expect(found.map(name => name.slice(0, 3))).toEqual(['a', 'b']);
    expect(outcome.malformedEvents).toBe(1);
  });

  it('reads a name of 20 MB in small chunks in linear time', () => {
    const long = `{"ph": "X", "name": "${'x'.repeat(20 << 20)}", "ts": 1}`;
    expect(read(array(good('a'), long, good('b')), 65_536).names.map(({length}) => length)).toEqual([1, 20 << 20, 1]);
  });
});
