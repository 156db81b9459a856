import {expect, it} from 'vitest';
import {loopsNote} from '../../../src/launch/run/loops-note.js';
import {profilesOf, RunRecord, runSentences} from '../../../src/launch/run/run-outcome.js';
import {parseRunnerEvent} from '../../../src/launch/run/runner-events.js';

const infer = {what: 'infer', of: 'GPT', file: 'train.py', line: 228, count: 400, is_more: false, calls: 1};
const train = {what: 'train', of: 'GPT', file: 'train.py', line: 297, count: 9, is_more: false, calls: 1};

function recordOf(...events: readonly object[]): RunRecord {
  const record = new RunRecord();
  for (const event of events) {
    const parsed = parseRunnerEvent(JSON.stringify({v: 1, pid: 7, ...event}));
    if (parsed) record.add(parsed);
  }
  return record;
}

const trace = (path: string, loop: object, steps = 3) => ({
  ...{event: 'trace', path, kind: 'steps', why: 'complete', steps, rank: null, world: null},
  loop,
});
const exit = {event: 'exit', status: 0, tail: [], signal: null, outOfMemory: false};

it('loopsNote(outcome) says what was recorded, what else was seen, and how to choose it', () => {
  const record = recordOf(trace('/r/a', infer), trace('/r/b', train), {event: 'loops', loops: [infer, train]});
  expect(loopsNote(record)).toBe(
    'Recorded 3 training steps of GPT, train.py:297; also seen: 400 evaluations at train.py:228. To record another loop, use --step FILE:LINE (--step train.py:228).',
  );
});

it('loopsNote(outcome) names the line of a step where the loop that was recorded has the same line', () => {
  const [evaluation, training] = [
    {...infer, line: 28, step_line: 58},
    {...train, line: 28, step_line: 51},
  ];
  const record = recordOf(trace('/r/b', training), {event: 'loops', loops: [evaluation, training]});
  expect(loopsNote(record)).toMatch(/400 evaluations at train\.py:28\. .* \(--step train\.py:58\)\.$/);
});

it('loopsNote(outcome) tells micro-steps, and counts that are at least so high', () => {
  const loop = {...train, calls: 4};
  const record = recordOf(trace('/r/b', loop), {event: 'loops', loops: [{...infer, is_more: true}, loop]});
  expect(loopsNote(record)).toContain(
    '3 training steps of GPT (4 forward calls each), train.py:297; also seen: at least 400',
  );
});

it('loopsNote(outcome) tells requests and whole calls with what is inside of them', () => {
  const calls = {...infer, unit: 'generate', calls: 32};
  const requests = {...infer, unit: 'request', calls: null, count: 1, is_more: true};
  const record = recordOf(trace('/r/a', calls), {event: 'loops', loops: [calls, requests]});
  expect(loopsNote(record)).toContain(
    'Recorded 3 calls of generate of GPT (32 forward calls each), train.py:228; also seen: at least 1 request at train.py:228.',
  );
});

it('loopsNote(outcome) is null where no steps were recorded', () => {
  expect(loopsNote(recordOf({event: 'loops', loops: [infer]}))).toBeNull();
});

it('profilesOf(outcome) lists training before the inference that was recorded first', () => {
  const record = recordOf(trace('/r/infer', infer), trace('/r/train', train, 2));
  expect(profilesOf(record).map(({path}) => path)).toEqual(['/r/train', '/r/infer']);
});

it('runSentences(…) tells how many steps a script took of which only the beginning was recorded', () => {
  const opening = {event: 'trace', path: '/r/a', kind: 'opening', why: 'exit', steps: 0, rank: null, world: null};
  const record = recordOf(opening, {event: 'loops', loops: [{...train, count: 1}]}, exit);
  expect(runSentences('train.py', record, false)).toEqual([
    'train.py took 1 training step of GPT (train.py:297), too few for a warm-up and a recording: its beginning is shown. --warmup 1 --prewarm 0 --active 1 records the second step.',
  ]);
});

it('overhead of a run is that of the training, not of the evaluation before it', () => {
  const overhead = (path: string, ns: number) => ({event: 'overhead', path, profiledNs: [ns], plainNs: [ns]});
  const events = [trace('/r/infer', infer), overhead('/r/infer', 5), trace('/r/train', train), overhead('/r/train', 7)];
  expect(recordOf(...events).overhead?.profiledNs).toEqual([7]);
  expect(recordOf(...events.toReversed(), ...events).overhead?.profiledNs).toEqual([7]);
});

it('loopsNote(outcome) counts what was recorded in the plural: calls of a model, and of a function', () => {
  const forward = {...infer, what: 'forward', of: 'Net', line: 63};
  expect(loopsNote(recordOf(trace('/r/a', forward)))).toBe('Recorded 3 forward calls of Net, train.py:63.');
  expect(loopsNote(recordOf(trace('/r/a', forward, 1)))).toBe('Recorded 1 forward call of Net, train.py:63.');
  const calls = {...infer, unit: 'generate'};
  expect(loopsNote(recordOf(trace('/r/a', calls)))).toMatch(/^Recorded 3 calls of generate of GPT/);
});
