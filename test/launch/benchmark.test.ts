import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, it} from 'vitest';
import {parseSweepConfig} from '../../src/core/benchmark/parse-config.js';
import {sweepPoints} from '../../src/core/benchmark/sweep-points.js';
import {PointRecord} from '../../src/launch/benchmark/point-record.js';
import {runSweep, type SweepHandlers, type SweepRequest} from '../../src/launch/benchmark/run-sweep.js';
import {isKeptHere, sweepsFolder} from '../../src/launch/benchmark/sweep-files.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const silent: SweepHandlers = {
  onBegin: () => undefined,
  onPoint: () => undefined,
  onStep: () => undefined,
  onResult: () => undefined,
};

/** A program that measures, as `bench.py` does, of Node's: `tell(event, fields)` writes an event. */
function program(name: string, body: string): string {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(
    file,
    `const fs = require('node:fs');
const events = process.argv[process.argv.indexOf('--events') + 1];
const point = JSON.parse(fs.readFileSync(0, 'utf8'));
const line = (event, fields) => JSON.stringify({v: 1, event, pid: process.pid, ...fields}) + '\\n';
const tell = (...lines) => fs.appendFileSync(events, lines.join(''));
const step = line('step', {phase: 'measured', index: 0, ns: 1000, phases: {}});
const done = line('done', {error: null});
${body}
`,
  );
  return file;
}

function request(given: object, options: Partial<SweepRequest>): SweepRequest {
  return {
    config: parseSweepConfig(given, 'sweep'),
    given,
    python: process.execPath,
    program: '',
    cwd: folder,
    env: process.env,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    output: join(folder, 'kept'),
    earlier: 'latest',
    ...options,
  };
}

const measuring = program('measuring', 'tell(step, done);');

it('runSweep(request) tells the variables of a point to nobody but its process', async () => {
  const told = program(
    'told',
    "tell(line('failed', {error: 'crash', message: JSON.stringify([process.argv, point])}));",
  );
  const given = {command: ['true'], environment: {KEY: ['secret']}};
  const {record} = await runSweep(request(given, {program: told}), silent);
  const [argv, point] = JSON.parse(record.results.get(0)?.message ?? '') as [string[], {environment: object}];
  expect(argv.join(' ')).not.toContain('secret');
  expect(point.environment).toEqual({KEY: 'secret'});
});

it.each([
  ['step, done', 1],
  ['step', 0],
])('runSweep(request) that is cancelled when its point has told %s keeps %i results', async (told, count) => {
  const stop = new AbortController();
  const hanging = program('hanging', `tell(${told}); setInterval(() => undefined, 1000);`);
  const onStep = () => {
    stop.abort();
  };
  const given = {command: ['true', told, '{1,2}']};
  const options = {program: hanging, signal: stop.signal};
  const {record} = await runSweep(request(given, options), {...silent, onStep});
  expect(record.results.size).toBe(count);
  expect(record.isEnded).toBe(false);
});

it('runSweep(request) tries a point again that could not be started', async () => {
  const given = {command: ['true', 'again']};
  const first = await runSweep(request(given, {python: '/no/such/python'}), silent);
  expect(first.record.results.get(0)?.error).toBe('not-started');
  expect(first.record.isEnded).toBe(false);
  const second = await runSweep(request(given, {program: measuring}), silent);
  expect(second.folder).toBe(first.folder);
  expect(second.record.results.get(0)).toMatchObject({error: null, stepNs: [1000]});
  expect(second.record.isEnded).toBe(true);
});

it('runSweep(request) goes on with the sweep that is asked for', async () => {
  const given = {command: ['true', 'asked', '{1,2}']};
  const stopped = async () => {
    const stop = new AbortController();
    const onResult = () => {
      stop.abort();
    };
    const options = {program: measuring, earlier: 'none' as const, signal: stop.signal};
    return (await runSweep(request(given, options), {...silent, onResult})).folder;
  };
  const [older, newer] = [await stopped(), await stopped()];
  expect(newer).not.toBe(older);
  const {folder: gone, record} = await runSweep(request(given, {program: measuring, earlier: {folder: older}}), silent);
  expect([gone, record.results.size, record.isEnded]).toEqual([older, 2, true]);
  expect(readFileSync(join(newer, 'results.jsonl'), 'utf8')).not.toContain('"end"');
  const other = request({command: ['false']}, {program: measuring, earlier: {folder: older}});
  await expect(runSweep(other, silent)).rejects.toThrow('has no results of this sweep to go on with');
  expect(isKeptHere(join(folder, 'kept'), older)).toBe(true);
  for (const path of [dirname(older), join(older, 'inner'), `${older}/..`, join(folder, sweepsFolder, 'x')]) {
    expect(isKeptHere(join(folder, 'kept'), path)).toBe(false);
  }
});

it('PointRecord.result(end) keeps the steps that had ended before the time limit', () => {
  const [point] = sweepPoints(parseSweepConfig({command: ['true']}, 'sweep'));
  if (!point) throw new Error('A sweep has a point.');
  const record = new PointRecord(point);
  record.add({event: 'step', phase: 'warm-up', ns: 1, phases: {}});
  record.add({event: 'step', phase: 'measured', ns: 2, phases: {}});
  record.add({event: 'step', phase: 'measured', ns: 3, phases: {}});
  expect(record.result({status: 137, lastLine: '', limitSeconds: 4})).toMatchObject({
    error: 'time-limit',
    message: 'It took longer than 4 s; 1 warm-up and 2 measured steps had ended.',
    warmupNs: [1],
    stepNs: [2, 3],
  });
});
