import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {checkFile} from '../../fuzz/check-file.js';
import {opened} from '../../support/opened-file.js';
import {temporaryFolder} from '../../support/project.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

const folder = temporaryFolder();

/** A trace with one good event before and one behind what is given. */
function around(event: string | Buffer): Buffer {
  const good = (name: string, ts: number) =>
    `{"ph": "X", "cat": "cpu_op", "name": "${name}", "pid": 1, "tid": 1, "ts": ${String(ts)}, "dur": 10}`;
  return Buffer.concat([
    Buffer.from(`{"schemaVersion": 1, "traceEvents": [${good('first', 100)},\n`),
    Buffer.from(event),
    Buffer.from(`,\n${good('last', 900)}]}`),
  ]);
}

/** An event with these members, and those that every event has. */
const event = (members: string) => `{"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, ${members}}`;

function write(content: string | Buffer): string {
  const path = join(folder, 'hostile.json');
  writeFileSync(path, content);
  return path;
}

const namesOf = (trace: Trace) => Array.from(trace.slices.name, name => trace.strings.get(name));
const codesOf = (trace: Trace) => trace.notes.map(({code}) => code).filter(code => code !== 'gpu/none');
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('openTrace(json) takes what is there', () => {
  type Case = readonly [what: string, event: string | Buffer, name: string | null, note: string | null];
  const cases: readonly Case[] = [
    [
      'bad UTF-8',
      Buffer.concat([
        Buffer.from(event('"ts": 500, "dur": 1, "name": "').slice(0, -1)),
        Buffer.from('80fec0"}', 'latin1'),
      ]),
      '80fec0',
      null,
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from(event('"ts": 500, "dur": 1, "name": "a\u00ff\u0080b"'), 'latin1'),
      'a\ufffd\ufffdb',
      null,
    ],
    [
      'control characters',
      event('"ts": 500, "dur": 1, "name": "a\u0000\u001b[2J\r\nb"'),
      'a\u0000\u001b[2J\r\nb',
      null,
    ],
    ['half of a surrogate pair', event('"ts": 500, "dur": 1, "name": "\\ud800x"'), '\ud800x', null],
    ['an unescaped quote in a name', event('"ts": 500, "dur": 1, "name": "a "b" c"'), null, 'events/malformed'],
    ['NaN as a start', event('"ts": NaN, "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['Infinity as a start', event('"ts": Infinity, "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['-Infinity as a start', event('"ts": -Infinity, "dur": 1, "name": "x"'), null, 'events/malformed'],
    ['1e999 as a start', event('"ts": 1e999, "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['a number as a text as a start', event('"ts": "500", "dur": 1, "name": "x"'), 'x', null],
    ['a text as a start', event('"ts": "500 us", "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['a number as a text as a duration', event('"ts": 500, "dur": "1.5", "name": "x"'), 'x', null],
    ['a text as a duration', event('"ts": 500, "dur": "long", "name": "x"'), 'x', 'events/no-duration'],
    ['no duration', event('"ts": 500, "name": "x"'), 'x', 'events/no-duration'],
    ['a start in another century', event('"ts": 9e15, "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['a start before all others', event('"ts": -9e15, "dur": 1, "name": "x"'), null, 'events/untimed'],
    ['a duration of centuries', event('"ts": 500, "dur": 9e15, "name": "x"'), null, 'events/untimed'],
    ['a negative duration', event('"ts": 500, "dur": -1, "name": "x"'), 'x', 'events/negative'],
    ['members twice', event('"ts": 1, "dur": 2, "name": "x", "ts": 500, "dur": 1, "name": "y"'), 'y', null],
    [
      'arguments of a thousand levels',
      event(`"ts": 500, "dur": 1, "name": "x", "args": {"a": ${deep(1000)}}`),
      'x',
      null,
    ],
    [
      'arguments of a million levels',
      event(`"ts": 500, "dur": 1, "name": "x", "args": {"a": ${deep(1e6)}}`),
      'x',
      null,
    ],
    ['a million levels in place of an event', deep(1e6), null, 'events/malformed'],
    ['objects in objects that never end', '{"a":'.repeat(100_000), null, null],
    ['an event without anything', '{}', null, 'events/malformed'],
    ['a name that is a number', event('"ts": 500, "dur": 1, "name": 5'), '', null],
    ['a name that is NaN', event('"ts": 500, "dur": 1, "name": NaN'), '', null],
    ['a name that is Infinity', event('"ts": 500, "dur": 1, "name": Infinity'), '', null],
    ['a name, and another that is NaN', event('"ts": 500, "dur": 1, "name": "x", "name": NaN'), '', null],
    ['a name, and another that is null', event('"ts": 500, "dur": 1, "name": "x", "name": null'), '', null],
    ['a text "NaN" as a name', event('"ts": 500, "dur": 1, "name": "NaN"'), 'NaN', null],
  ];

  it.each(cases)('where there is %s', async (what, content, name, note) => {
    const path = write(around(content));
    expect(await checkFile(path, true)).toBeNull();
    const trace = await openTrace(path);
    const expected = what.includes('never end') ? ['first'] : ['first', ...(name === null ? [] : [name]), 'last'];
    expect(namesOf(trace).filter(found => expected.includes(found))).toEqual(expected);
    if (note !== null) expect(codesOf(trace)).toEqual([note]);
    for (let slice = 0; slice < trace.slices.length; slice++) {
      const args = await readSliceArguments(await opened(path), trace, slice);
      for (const {value} of args) expect(value.length).toBeLessThanOrEqual(2000);
    }
  });

  it('joins by ids of 64 bits, and keeps those apart that a double cannot', async () => {
    const joined = (id: string, ts: number) => [
      `{"ph": "X", "cat": "cuda_runtime", "name": "call", "pid": 1, "tid": 1, "ts": ${String(ts)}, "dur": 1, "args": {"correlation": ${id}}}`,
      `{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": ${String(ts + 10)}, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": ${id}}}`,
    ];
    const range = (name: string, ts: number) =>
      `{"ph": "X", "cat": "user_annotation", "name": "${name}", "pid": 1, "tid": 1, "ts": ${String(ts)}, "dur": 5}`;
    const events = [
      range('a', 199),
      ...joined('18446744073709551614', 200),
      range('b', 299),
      ...joined('18446744073709551615', 300),
      range('c', 399),
      ...joined('9007199254740993', 400),
    ];
    const trace = await openTrace(write(around(events.join(',\n'))));
    const work = rangeRows(trace, 'name').filter(({count}) => count > 0);
    expect(work.map(({name, gpuWorkNs}) => [name, gpuWorkNs])).toEqual([
      ['a', 5000],
      ['b', 5000],
      ['c', 5000],
    ]);
  });

  type Devices = readonly [inFile: string, device: number, note: string | null];
  const devices: readonly Devices[] = [
    ['3', 3, null],
    ['2147483647', 2147483647, null],
    ['"3"', 3, null],
    ['"GPU 3"', 3, null],
    [`"${'9'.repeat(400)}"`, 0, 'gpu/device'],
    ['"no number"', 0, null],
    ['-10', 0, 'gpu/device'],
    ['-999999999999999', 0, 'gpu/device'],
    ['2147483648', 0, 'gpu/device'],
    ['1099511627786', 0, 'gpu/device'],
    ['2.5', 2, null],
    ['"-3"', 0, 'gpu/device'],
    ['1e300', 0, 'gpu/device'],
    ['3.0', 3, null],
    ['-1', 1, null],
  ];
  it.each(devices)('shows the work of device %s on GPU %i', async (inFile, device, note) => {
    const kernel = (ts: number, tid: string) =>
      `{"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": ${tid}, "ts": ${String(ts)}, "dur": 5, "args": {"device": ${inFile}}}`;
    const path = write(around([kernel(300, '7'), kernel(400, '7'), kernel(500, '8')].join(',\n')));
    const trace = await openTrace(path);
    expect([...trace.gpuOperations.device]).toEqual([device, device, device]);
    expect(trace.devices.map(({id}) => id)).toEqual([device]);
    expect(codesOf(trace)).toEqual(note === null ? [] : [note]);
    expect(gpuSummary(trace).workNs).toBe(15_000);
    expect(await checkFile(path, true)).toBeNull();
  });

  it('finds the ends of flows among operators that all begin at once in linear time', async () => {
    const at = '"pid": 1, "tid": 1, "ts": 1000';
    const flow = (ph: string, id: number) => `{"ph": "${ph}", "cat": "fwdbwd", "id": ${String(id)}, ${at}}`;
    const operators = Array.from({length: 30_000}, () => event('"ts": 1000, "dur": 10, "name": "op"'));
    const flows = operators.map((_, id) => `${flow('s', id)},${flow('f', id)}`);
    const path = write(`[${[...operators, ...flows].join(',')}]`);
    const {result: trace, times} = await comparedWithUsualWork(() => openTrace(path));
    expect(trace.forwardBackward).toHaveLength(0);
    // It takes half as long as usual work; a look at each operator for each flow, at least fifteen times as long.
    expect(times).toBeLessThan(5);
  });

  it('reads the second of two lists of events too', async () => {
    const list = (name: string) => `"traceEvents": [${event(`"ts": 5, "dur": 1, "name": "${name}"`)}]`;
    const trace = await openTrace(write(`{${list('one')}, ${list('two')}}`));
    expect(namesOf(trace)).toEqual(['one', 'two']);
  });

  it.each([
    ['the text of a name', (text: string) => around(event(`"ts": 500, "dur": 1, "name": "${text}"`))],
    ['a key', (text: string) => around(event(`"ts": 500, "dur": 1, "name": "x", "args": {"${text}": 1}`))],
    [
      'a member before the events',
      (text: string) => `{"x": "${text}", ${around(event('"ts": 500, "dur": 1, "name": "x"')).toString().slice(1)}`,
    ],
    [
      'blanks between events',
      (text: string) => around(' '.repeat(text.length) + event('"ts": 500, "dur": 1, "name": "x"')),
    ],
  ])('takes 110 MB of %s, and shows what stands around', async (_what, content) => {
    const path = write(content('x'.repeat(110e6)));
    const {result: trace, times} = await comparedWithUsualWork(() => openTrace(path));
    // The built bundle takes a tenth of this: in a test, calls between modules are slow.
    expect(times).toBeLessThan(200);
    expect(namesOf(trace)).toEqual(expect.arrayContaining(['first', 'last']));
  });
});
