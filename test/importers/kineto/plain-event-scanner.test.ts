import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {isOutOfMemory} from '../../../src/core/base/errors.js';
import {ChromeTraceReader} from '../../../src/importers/kineto/chrome-trace-reader.js';
import type {ChromeTraceOutcome} from '../../../src/importers/kineto/chrome-trace-sink.js';
import {eventSchema} from '../../../src/importers/kineto/event-schema.js';
import {PlainEventScanner} from '../../../src/importers/kineto/plain-event-scanner.js';
import {negativeIdShift} from '../../../src/importers/kineto/scanned-event.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {project} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

const members = Object.keys(eventSchema) as (keyof typeof eventSchema)[];
const startUs = members.indexOf('startUs');
const startThousandths = members.indexOf('startThousandths');
const texts: ReadonlySet<string> = new Set(['name', 'category', 'label']);
/** Columns that hold a text where the file has one instead of a number. */
const ids: ReadonlySet<string> = new Set([
  ...['pid', 'tid', 'id', 'correlation', 'externalId', 'sequence', 'forwardThread', 'device', 'stream', 'bytes'],
]);

interface Read {
  readonly outcome: ChromeTraceOutcome;
  /** One line per event: the values of all members, texts as they are, and the text of what is kept whole. */
  readonly events: readonly string[];
}

function read(bytes: Uint8Array, isLenient: boolean, chunkBytes = 1 << 20): Read {
  const known: string[] = [];
  const events: string[] = [];
  const textOf = (number: number) => (number < 0 ? null : (known[number] ?? 'unknown'));
  const idOf = (id: number) => (id < -negativeIdShift ? id + negativeIdShift : id < -1 ? textOf(-2 - id) : id);
  const plainOf = (value: number) => value;
  const valueOf = members.map(member => (texts.has(member) ? textOf : ids.has(member) ? idOf : plainOf));
  const reader = new ChromeTraceReader(
    {
      text: (number, text) => (known[number] = text),
      events: ({columns, length, texts: whole}) => {
        const read = members.map(member => columns[member]);
        for (let row = 0; row < length; row++) {
          const values = read.map((column, at) => valueOf[at]?.(column[row] ?? NaN));
          // What an unread time leaves in its decimals is nobody's business.
          if (Number.isNaN(values[startUs])) values[startThousandths] = 0;
          events.push(JSON.stringify([values, whole.get(row) ?? null]));
        }
      },
      metadata: (key, json) => events.push(`${key}: ${json}`),
    },
    {isLenient},
  );
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return {outcome: reader.end(), events};
}

/** Both ways of reading must not differ; the first event that does is what the test shows. */
function expectSame(bytes: Uint8Array, chunkBytes?: number): Read {
  const plain = read(bytes, false, chunkBytes);
  const lenient = read(bytes, true, chunkBytes);
  const different = plain.events.findIndex((event, index) => event !== lenient.events[index]);
  if (different >= 0) expect(plain.events[different]?.slice(0, 1000)).toBe(lenient.events[different]?.slice(0, 1000));
  expect(plain.events.length).toBe(lenient.events.length);
  expect(plain.outcome).toEqual(lenient.outcome);
  return plain;
}

const event =
  '{"ph": "X", "cat": "kernel", "name": "gemm<4, \\"a\\">", "pid": 0, "tid": 7, "ts": 1712195495519689.053, "dur": 4.5, "id": 3, ' +
  '"args": {"External id": 12, "device": 0, "stream": 7, "correlation": 9, "bytes": 4096, "Sequence number": 5, "Fwd thread id": 1, ' +
  '"grid": [1, 2, [3]], "name of it": "python", "Ev Idx": 1.5e-7, "none": null, "blocks per SM": 0.25}}';

describe('PlainEventScanner', () => {
  const files = [{name: 'the sample', path: sample}, ...dataFiles('kineto', '.json.gz')];
  itEachFile(files)('reads $name as the lenient scanner does', ({path}) => {
    expect(expectSame(gunzipSync(readFileSync(path))).outcome.events).toBeGreaterThan(1);
  });

  it('reads damaged events as the lenient scanner does', () => {
    const random = seededRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    const replacements = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '0',
      '-',
      '.',
      'e',
      ' ',
      '\n',
      '\u0000',
      'NaN',
      'é',
      '',
    ];
    for (let file = 0; file < 150; file++) {
      const texts = Array.from({length: 250}, () => {
        let text = event;
        for (let changes = below(4); changes > 0; changes--) {
          const at = below(text.length);
          const replacement = replacements[below(replacements.length)] ?? '';
          text = text.slice(0, at) + replacement + text.slice(at + below(12));
        }
        return text;
      });
      expectSame(new TextEncoder().encode(`[${texts.join(',\n')}]`), 1 + below(4096));
    }
  });

  it.each<[string, number | string]>([
    ['0', 0],
    ['-1', -1],
    ['-2', -2],
    ['-247463936', -247463936],
    ['-999999999999999', -999999999999999],
    ['-1000000000000000', '-1000000000000000'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-1.5', -1],
  ])('reads a thread with the number %s', (text, expected) => {
    const {events} = expectSame(new TextEncoder().encode(`[${event.replace('"tid": 7', `"tid": ${text}`)}]`));
    expect((JSON.parse(events[0] ?? '') as [unknown[]])[0][members.indexOf('tid')]).toEqual(expected);
  });

  it('reads the same wherever the stream is cut into chunks', () => {
    const bytes = new TextEncoder().encode(`{"traceEvents": [${event}, ${event.replace('gemm', 'copy')}]}`);
    const whole = read(bytes, true).events;
    for (let chunkBytes = 1; chunkBytes < 99; chunkBytes++) {
      expect(read(bytes, false, chunkBytes).events).toEqual(whole);
    }
  });

  it('keeps no text that goes on in the next chunk', () => {
    const bytes = new TextEncoder().encode(`[${event}]`);
    const texts: string[] = [];
    const reader = new ChromeTraceReader({text: (_, text) => texts.push(text), events: () => 0, metadata: () => 0});
    for (const byte of bytes) reader.push(Uint8Array.of(byte));
    reader.end();
    expect(new Set(texts)).toEqual(new Set(['gemm<4, "a">', 'kernel']));
  });

  it('grows with names and with events that are longer than its memory', () => {
    const long = 'x'.repeat(24 << 20);
    const names = Array.from({length: 20_000}, (_, index) => `{"ph":"X","name":"name ${String(index)}","ts":1}`);
    const bytes = new TextEncoder().encode(`[${names.join()},{"ph":"X","name":"${long}","ts":2},${event}]`);
    expect(expectSame(bytes).outcome).toMatchObject({events: 20_002, malformedEvents: 0, isTruncated: false});
  });
});

describe('PlainEventScanner.grow(length)', () => {
  it('says that memory ran out where there is no more', () => {
    const scanner = PlainEventScanner.create(1);
    expect(scanner).not.toBeNull();
    expect(() => scanner?.grow(2 ** 31)).toThrow(RangeError);
    try {
      scanner?.grow(2 ** 31);
    } catch (error) {
      expect(isOutOfMemory(error)).toBe(true);
    }
  });
});
