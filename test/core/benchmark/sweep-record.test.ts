import {expect, it} from 'vitest';
import {
  isMeasured,
  measuredCount,
  parseSweepLine,
  readSweepRecord,
  sweepLineText,
  type SweepLine,
} from '../../../src/core/benchmark/sweep-record.js';
import {pointResult, sweepLines} from '../../support/sweep.js';

const result = pointResult({contextLength: 128, result: {stepNs: [1, 2, 3]}});
const lines = sweepLines([result]);

const row = {
  name: 'fc1',
  kind: 'Linear',
  count: 2,
  parameters: ['float32'],
  inputs: ['float32'],
  outputs: ['bfloat16'],
  gradients: [],
  casts: [{from: 'float32', to: 'bfloat16', count: 2}],
};

it('parseSweepLine(text) reads back every kind of line', () => {
  const all: SweepLine[] = [
    ...lines,
    {kind: 'profile', index: 0, path: 'a.json.gz'},
    {kind: 'precision', index: 0, rows: [row]},
    {kind: 'end', at: 'now'},
  ];
  for (const line of all) expect(parseSweepLine(sweepLineText(line))).toEqual(line);
});

it('readSweepRecord(text) takes the later result of a point, and counts lines that it cannot read', () => {
  const later = {...result, stepNs: [9]};
  const text = [...lines, {kind: 'result', index: 0, result: later} as const].map(sweepLineText).join('');
  const record = readSweepRecord(`${text}{"v":1,"kind":"res`);
  expect(record?.results.get(0)?.stepNs).toEqual([9]);
  expect(record).toMatchObject({isEnded: false, badLines: 1});
});

it('parseSweepLine(text) takes no path of a profile that leads out of the folder', () => {
  const line = (path: string) => parseSweepLine(sweepLineText({kind: 'profile', index: 0, path}));
  for (const path of ['../a.gz', 'a/../../b.gz', '/etc/passwd', 'C:\\a.gz', '\\\\host\\a.gz', 'a\\..\\..\\b.gz']) {
    expect(line(path)).toBeNull();
  }
  expect(line('profiles/0-a..b.pt.trace.json.gz')).toMatchObject({path: 'profiles/0-a..b.pt.trace.json.gz'});
});

it('isMeasured(record, index) is false for a point that could not be started', () => {
  const results = [result, {...result, error: 'not-started' as const}, {...result, error: 'crash' as const}];
  const record = readSweepRecord(sweepLines(results).map(sweepLineText).join(''));
  if (!record) throw new Error('It is a sweep.');
  expect([0, 1, 2, 3].map(index => isMeasured(record, index))).toEqual([true, false, true, false]);
  expect(measuredCount(record)).toBe(2);
});

it.each(['', 'no JSON', '[]', '{"v":2,"kind":"sweep"}', '{"v":1,"kind":"end"}', 'null'])(
  'readSweepRecord(%j) is null',
  text => {
    expect(readSweepRecord(text)).toBeNull();
  },
);

it('readSweepRecord(text) believes no field that it has not looked at', () => {
  const wrong: object[] = [
    {index: -1},
    {index: 99},
    {result: null},
    {result: {...result, stepNs: ['1']}},
    {result: {...result, stepNs: [-1]}},
    {result: {...result, error: 'unknown'}},
    {result: {...result, point: {target: 'other', label: ''}}},
    {kind: '__proto__'},
  ];
  const head = lines.slice(0, 1).map(sweepLineText).join('');
  const text = wrong.map(fields => JSON.stringify({v: 1, kind: 'result', index: 0, result, ...fields})).join('\n');
  expect(readSweepRecord(head + text)).toMatchObject({badLines: wrong.length, results: new Map()});
});
