import {appendFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {costsNote} from '../../src/launch/run/costs-note.js';
import {EventFollower} from '../../src/launch/programs/event-follower.js';
import type {ProfileRequest} from '../../src/launch/command/profile-request.js';
import {isInterrupted, overheadNote, profilesOf, RunRecord, runSentences} from '../../src/launch/run/run-outcome.js';
import {progressText} from '../../src/launch/run/run-progress.js';
import {parseRunnerEvent, type RunnerEvent} from '../../src/launch/run/runner-events.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const line = (event: object) => JSON.stringify({v: 1, pid: 7, ...event});
const trace = {
  event: 'trace',
  path: '/r/a.pt.trace.json.gz',
  kind: 'steps',
  why: 'complete',
  steps: 3,
  rank: null,
  world: null,
  loop: null,
  trigger: null,
  first: null,
} as const;

describe('parseRunnerEvent(line)', () => {
  it('reads the events of this version', () => {
    expect(parseRunnerEvent(line({event: 'armed', torch: '2.13.0'}))).toEqual({
      event: 'armed',
      torch: '2.13.0',
      step: null,
      isIdle: false,
    });
    expect(parseRunnerEvent(line(trace))).toEqual(trace);
    expect(parseRunnerEvent(line({event: 'exit', status: 1, tail: ['a', 3, 'b'], outOfMemory: null}))).toEqual({
      event: 'exit',
      status: 1,
      signal: null,
      tail: ['a', 'b'],
      outOfMemory: false,
      failure: null,
    });
    const lost = [{pid: 4, rank: 1}, {pid: 5, rank: null}, 'x'];
    expect(parseRunnerEvent(line({event: 'ranks', world: 3, missing: [1, 'x', -1], lost}))).toEqual({
      event: 'ranks',
      world: 3,
      missing: [1],
      lostCount: 1,
    });
    expect(parseRunnerEvent(line({event: 'ranks', world: null, missing: [], lost}))).toMatchObject({lostCount: 2});
    expect(parseRunnerEvent(line({event: 'stopping', why: 'hanging'}))).toEqual({event: 'stopping', why: 'hanging'});
    expect(parseRunnerEvent(line({event: 'step', phase: 'pre-warm', done: 1, total: 1, what: 'train'}))).toEqual({
      event: 'step',
      phase: 'pre-warm',
      done: 1,
      total: 1,
    });
  });

  it.each([
    '',
    'not json',
    'null',
    '[]',
    '{"v": 2, "event": "started"}',
    line({event: 'unknown'}),
    line({event: 'constructor'}),
    line({event: 'step', phase: 'x', done: 1, total: 2}),
    line({event: 'step', phase: 'warm-up', done: -1, total: 2}),
    line({event: 'trace', path: 3}),
    line({event: 'exit', status: 'x', tail: []}),
  ])('passes over %j', text => {
    expect(parseRunnerEvent(text)).toBeNull();
  });
});

it('EventFollower hands over lines as they are appended, whole, each once', async () => {
  const file = join(folder, 'events.jsonl');
  const seen: RunnerEvent[] = [];
  const follower = new EventFollower(file, parseRunnerEvent, event => seen.push(event));
  await follower.poll();
  writeFileSync(file, `${line({event: 'started'})}\n${line({event: 'armed', torch: 'é'}).slice(0, 20)}`);
  await follower.poll();
  expect(seen).toEqual([{event: 'started'}]);
  appendFileSync(file, `${line({event: 'armed', torch: 'é'}).slice(20)}\n\nrubbish\n`);
  await Promise.all([follower.poll(), follower.poll(), follower.stop()]);
  expect(seen).toEqual([{event: 'started'}, {event: 'armed', torch: 'é', step: null, isIdle: false}]);
});

it('EventFollower hands over a line once, also if its end, or the end of a letter, is written later', async () => {
  const file = join(folder, 'in-parts.jsonl');
  const seen: RunnerEvent[] = [];
  const follower = new EventFollower(file, parseRunnerEvent, event => seen.push(event));
  const bytes = Buffer.from(`${line({event: 'armed', torch: 'é'})}\n`);
  for (const byte of bytes) {
    appendFileSync(file, Buffer.of(byte));
    expect(seen).toEqual([]);
    await follower.poll();
  }
  expect(seen).toEqual([{event: 'armed', torch: 'é', step: null, isIdle: false}]);
});

it('EventFollower outlives a read that fails, and tells of the first', async () => {
  const failures: unknown[] = [];
  // What can be opened and not read.
  const follower = new EventFollower(
    folder,
    parseRunnerEvent,
    () => undefined,
    error => failures.push(error),
  );
  await follower.poll();
  await follower.poll();
  await follower.stop();
  expect(failures).toMatchObject([{code: 'EISDIR'}]);
});

it('EventFollower goes on behind a message that its listener throws at', async () => {
  const file = join(folder, 'thrown-at.jsonl');
  const seen: RunnerEvent[] = [];
  const follower = new EventFollower(file, parseRunnerEvent, event => {
    if (seen.push(event) === 1) throw new Error('no');
  });
  writeFileSync(file, `${line({event: 'started'})}\n`);
  await follower.poll();
  appendFileSync(file, `${line({event: 'recording'})}\n`);
  await follower.poll();
  expect(seen).toEqual([{event: 'started'}, {event: 'recording', what: ''}]);
});

describe('runSentences(name, outcome, isCancelled)', () => {
  const record = (...events: RunnerEvent[]) => {
    const collected = new RunRecord();
    for (const event of events) collected.add(event);
    return collected;
  };
  const exit = (status: number, ...tail: string[]): RunnerEvent => ({
    event: 'exit',
    status,
    signal: null,
    tail,
    outOfMemory: false,
    failure: null,
  });
  const raised = (message: string) => [
    'Traceback (most recent call last):',
    '  File "a.py", line 1, in <module>',
    message,
  ];
  const armed: RunnerEvent = {event: 'armed', torch: '2.13.0', step: 'auto', isIdle: false};
  const waiting: RunnerEvent = {event: 'armed', torch: '2.13.0', step: 'window', isIdle: false};
  const begun: RunnerEvent = {event: 'recording', what: 'window'};
  const window = {...trace, kind: 'window', steps: 0};

  it.each([
    [record(armed, trace, exit(0)), null],
    [record(armed, {...trace, kind: 'opening', why: 'exit', steps: 0}, exit(0)), null],
    [
      record(armed, {...trace, why: 'exit', steps: 2}, exit(0)),
      'train.py ended before all steps were recorded: 2 are shown.',
    ],
    [
      record(armed, exit(1, ...raised('ValueError: boom'), 'saved.')),
      'train.py failed with exit code 1: ValueError: boom.',
    ],
    [
      record(
        armed,
        exit(1, ...raised('ValueError: boom'), '[W1122 10:38:02.842 profiler_kineto.cpp:942] no active session'),
      ),
      'train.py failed with exit code 1: ValueError: boom.',
    ],
    [
      record(armed, trace, exit(1, ...raised('Killed!'))),
      'train.py failed with exit code 1: Killed! What was recorded before is shown.',
    ],
    [
      record(armed, {event: 'error', message: 'Profiling stopped: X: y'}, {...trace, why: 'error', steps: 1}, exit(0)),
      'Profiling train.py stopped before all steps were recorded: 1 is shown. Profiling stopped: X: y.',
    ],
    [
      record(
        armed,
        {event: 'error', message: 'The trace is in /tmp/a, since there was no writing to /r.'},
        trace,
        exit(0),
      ),
      'The trace is in /tmp/a, since there was no writing to /r.',
    ],
    [
      record(armed, {event: 'error', message: 'a'}, {event: 'error', message: 'b'}, exit(1, ...raised('Boom.'))),
      'train.py failed with exit code 1: Boom. a.',
    ],
    [record(armed, exit(3, 'step 9: loss 1.2')), 'train.py failed with exit code 3.'],
    [record(armed, exit(1, 'step 9: loss 1.2')), 'train.py failed with exit code 1.'],
    [
      record(armed, exit(1, ...raised('OSError: no data'), '', ...raised('torch.distributed.x.ChildFailedError: '))),
      'train.py failed with exit code 1: OSError: no data.',
    ],
    [record(waiting, exit(0)), 'train.py ran, but nothing was recorded: it ended before the window of time began.'],
    [
      record(waiting, begun, exit(0)),
      'train.py ran, but nothing was recorded: it did nothing with torch in the window of time.',
    ],
    [
      record(waiting, {event: 'user-profiler'}, exit(0)),
      'train.py ran, but nothing was recorded: it profiles itself, and exported no trace.',
    ],
    [
      record(waiting, begun, {event: 'user-profiler'}, {...window, why: 'user-profiler'}, exit(0)),
      'train.py profiles itself: the window of time is recorded until it began to.',
    ],
    [
      record(armed, {event: 'user-profiler'}, {...trace, kind: 'own', steps: 0}, exit(0)),
      'train.py profiles itself: its own trace is shown.',
    ],
    [record(waiting, begun, window, exit(0)), null],
    [record(armed), 'train.py was ended.'],
    [
      record(exit(0)),
      'train.py ran, but nothing was recorded: it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys).',
    ],
    [
      record(armed, exit(0)),
      'train.py ran, but nothing was recorded: it opened no range, called no module and took no optimizer step.',
    ],
    [
      record(armed, {event: 'error', message: 'No space left on device.'}, exit(0)),
      'train.py ran, but could not be recorded. No space left on device.',
    ],
  ])('%#', (outcome, expected) => {
    expect(runSentences('train.py', outcome, false).join(' ')).toBe(expected ?? '');
  });

  it('tells an interpreter that never ran from a script that was ended', () => {
    const how = 'a.py could not be started: the interpreter did not run the recorder';
    expect(runSentences('a.py', record(), false)).toEqual([`${how}.`]);
    // The status of a child that said nothing is none of the script's.
    const silent = record();
    silent.status = 1;
    expect(runSentences('a.py', silent, false)).toEqual([`${how}, which ended with exit code 1.`]);
    expect(runSentences('a.py', record(armed), false)).toEqual(['a.py was ended.']);
  });

  it('says of a cancelled run that nothing was recorded, and nothing where something was', () => {
    expect(runSentences('a.py', record(armed), true)).toEqual([
      'Profiling a.py was cancelled; nothing had been recorded.',
    ]);
    expect(runSentences('a.py', record(armed, trace, exit(143)), true)).toEqual([]);
  });

  it('names the ranks that wrote no profile, and says which had stopped', () => {
    const ranks = (world: number, ...missing: number[]): RunnerEvent => ({
      event: 'ranks',
      world,
      missing,
      lostCount: 0,
    });
    expect(runSentences('a.py', record(trace, ranks(2), exit(0)), false)).toEqual([]);
    expect(runSentences('a.py', record(trace, ranks(4, 2, 3), exit(0)), false)).toEqual([
      '2 of the 4 ranks of a.py wrote no profile: ranks 2, 3.',
    ]);
    const hanging: RunnerEvent = {event: 'hanging', ranks: [1], seconds: 60};
    expect(runSentences('a.py', record(trace, hanging, ranks(2, 1), exit(0)), false)).toEqual([
      '1 of the 2 ranks of a.py wrote no profile: rank 1, which had stopped making steps.',
    ]);
    const many = ranks(64, ...Array.from({length: 40}, (_, rank) => rank));
    expect(runSentences('a.py', record(trace, many, exit(0)), false)[0]).toMatch(/, 9 and more\.$/);
  });

  it('names an interpreter without torch, and a system without memory', () => {
    const python: RunnerEvent = {event: 'no-torch', python: '/usr/bin/python3'};
    expect(runSentences('a.py', record(python, exit(0)), false)).toEqual([
      'a.py ran, but nothing was recorded: /usr/bin/python3 has no PyTorch.',
    ]);
    const killed: RunnerEvent = {
      event: 'exit',
      status: 137,
      signal: 'SIGKILL',
      tail: [],
      outOfMemory: true,
      failure: null,
    };
    expect(runSentences('a.py', record(armed, trace, killed), false)).toEqual([
      'a.py was ended by the system, which had no more memory. What was recorded before is shown.',
    ]);
  });

  it('knows whether a trace is being written, of several ranks too', () => {
    const writing: RunnerEvent = {event: 'writing'};
    expect(record(armed).isWriting).toBe(false);
    expect(record(writing, writing, trace).isWriting).toBe(true);
    expect(record(writing, {...trace, kind: 'own'}).isWriting).toBe(true);
    expect(record(writing, writing, trace, trace).isWriting).toBe(false);
  });

  it('names the signal of a crash, and processes that were lost', () => {
    const crash: RunnerEvent = {
      event: 'exit',
      status: 139,
      signal: 'SIGSEGV',
      tail: ['step 3'],
      outOfMemory: false,
      failure: null,
    };
    const ranks: RunnerEvent = {event: 'ranks', world: 0, missing: [], lostCount: 2};
    expect(runSentences('a.py', record(armed, ranks, crash), false)).toEqual([
      'a.py was ended by the signal SIGSEGV.',
      '2 processes of a.py took steps and ended without a profile of them.',
    ]);
    expect(isInterrupted(record(armed, crash))).toBe(false);
    expect(isInterrupted(record(armed, {...crash, status: 130, signal: 'SIGINT'}))).toBe(true);
  });

  it('overheadNote(outcome) tells what the profiler cost, where that was measured', () => {
    const overhead = (profiledMs: number[], plainMs: number[]): RunnerEvent => ({
      event: 'overhead',
      path: null,
      profiledNs: profiledMs.map(ms => ms * 1e6),
      plainNs: plainMs.map(ms => ms * 1e6),
    });
    expect(overheadNote(record(overhead([12, 11.9, 12.1], [10, 10.1, 9.9])))).toBe(
      'A step took 12.0 ms with the profiler, 10.0 ms without: +20 % (±2).',
    );
    // No profiler makes steps shorter: the plain ones did something else, such as starting workers.
    expect(overheadNote(record(overhead([9, 9, 9], [10, 10, 10])))).toBe(
      'A step took 9.00 ms with the profiler, 10.0 ms without; what the profiler costs is not measurable: the recorded steps did less than the others.',
    );
    // One of three held an evaluation: the medians are the same, and nothing can be said.
    expect(overheadNote(record(overhead([10, 300, 10.1], [10, 10.2, 9.9])))).toMatch(
      /^A step took 10\.1 ms with the profiler, 10\.0 ms without; what the profiler costs is not measurable \(±\d+ %\): steps differ more among themselves\.$/,
    );
    expect(overheadNote(record(overhead([200, 210, 190], [10])))).toBe(
      'A step took 200 ms with the profiler, 10.0 ms without; what the profiler costs is not measurable: that takes three steps of each kind at least.',
    );
    expect(overheadNote(record(overhead([9], [0])))).toBeNull();
    expect(overheadNote(record(overhead([9], [])))).toBeNull();
    expect(overheadNote(record(exit(0)))).toBeNull();
  });

  it('costsNote(request, steps) tells what options cost, or what it takes to measure that', () => {
    const request = (costs: boolean, more = {}) => ({name: 'a.py', recording: {costs, ...more}}) as ProfileRequest;
    const line = {
      v: 1,
      event: 'costs',
      plainNs: [10e6, 10e6, 10e6],
      noneNs: [11e6, 11e6, 11e6],
      options: {stacks: [14e6, 14e6, 14e6]},
    };
    const event = parseRunnerEvent(JSON.stringify(line));
    const measured = record(...(event ? [event] : []));
    expect(costsNote(request(true), measured, false)).toBe(
      'What options cost, where a step takes 10.0 ms without the profiler: stacks +30 % (±0) of a step.',
    );
    expect(costsNote(request(false), measured, false)).toBeNull();
    // 2 + 1 + 3 until it is recorded, 1 + 3 without the profiler, 4 × (1 + 3) with none and with each.
    const step: RunnerEvent = {event: 'step', phase: 'recording', done: 3, total: 3};
    const ended = record(step, exit(0));
    expect(costsNote(request(true), ended, false)).toBe(
      'What options cost was not measured: a.py takes fewer than the 26 steps that this needs.',
    );
    expect(costsNote(request(true, {warmup: 1, prewarm: 0, active: 1}), ended, false)).toContain(
      'fewer than the 12 steps',
    );
    expect(costsNote(request(true, {lines: true}), ended, false)).toContain('fewer than the 27 steps');
    // Nobody knows how many steps it would have taken, or that more would have helped.
    const why = 'What options cost was not measured: ';
    expect(costsNote(request(true), ended, true)).toBe(`${why}the recording ended before.`);
    expect(costsNote(request(true), record(step, exit(1)), false)).toBe(`${why}the recording ended before.`);
    expect(costsNote(request(true), record(step, {event: 'user-profiler'}, exit(0)), false)).toBe(
      `${why}a.py profiles itself.`,
    );
    expect(costsNote(request(true), record(exit(0)), false)).toBe(`${why}no steps were recorded.`);
  });

  it('profilesOf(outcome) begins with that of the lowest rank, with the most steps', () => {
    const traces = [
      {...trace, path: 'r1', rank: 1},
      {...trace, path: 'opening', rank: 0, steps: 0},
      {...trace, path: 'r0', rank: 0},
    ];
    expect(profilesOf(record(...traces)).map(({path}) => path)).toEqual(['r0', 'opening', 'r1']);
    expect(profilesOf(record())).toEqual([]);
  });
});

it.each<[RunnerEvent, string | null]>([
  [{event: 'started'}, 'starting'],
  [{event: 'step', phase: 'warm-up', done: 2, total: 3}, 'warm-up 2/3'],
  [{event: 'recording', what: 'opening'}, 'recording the first step'],
  [{event: 'recording', what: 'window'}, 'recording a window of time'],
  [{event: 'recording', what: 'lines'}, 'recording the lines of calls'],
  [{event: 'recording', what: 'steps'}, 'recording steps'],
  [{event: 'recording', what: 'constructor'}, 'recording steps'],
  [{event: 'armed', torch: '2.13.0', step: 'auto', isIdle: false}, 'waiting for the first step'],
  [{event: 'armed', torch: '2.13.0', step: 'window', isIdle: false}, 'waiting for the window of time'],
  [{event: 'step', phase: 'recording', done: 0, total: 3}, 'step 1/3'],
  [{event: 'step', phase: 'recording', done: 2, total: 3}, 'step 3/3'],
  [{event: 'step', phase: 'recording', done: 3, total: 3}, null],
  [{event: 'writing'}, 'writing the trace'],
  [{event: 'hanging', ranks: [], seconds: 60}, 'no more steps for 60 s'],
  [{event: 'hanging', ranks: [3], seconds: 60}, 'no more steps of rank 3 for 60 s'],
  [{event: 'hanging', ranks: [0, 3], seconds: 60}, 'no more steps of ranks 0, 3 for 60 s'],
  [{event: 'stopping', why: 'hanging'}, 'ending the processes that hang'],
  [{event: 'stopping', why: 'signal'}, 'ending what was started'],
  [{event: 'exit', status: 0, signal: null, tail: [], outOfMemory: false, failure: null}, null],
])('progressText(%j) is %j', (event, text) => {
  expect(progressText(event)).toBe(text);
});
