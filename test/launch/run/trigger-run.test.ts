import {appendFileSync, existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {triggerRun} from '../../../src/launch/run/trigger-run.js';
import {patience} from '../../support/patience.js';
import {temporaryFolder} from '../../support/project.js';

const temporary = temporaryFolder();
const loop = {what: 'train', of: 'GPT', file: 'train.py', line: 9, count: 9, is_more: false, calls: 1};

/** An idle run that answers its first request by these events, in which `id` is the request's. */
function idleRun(answer: (id: string) => readonly object[], pid = process.pid) {
  const folder = mkdtempSync(join(temporary, 'run-'));
  const control = join(folder, 'control.jsonl');
  const tell = (event: object) => {
    appendFileSync(join(folder, 'events.jsonl'), `${JSON.stringify({v: 1, pid: 7, host: 'h', ...event})}\n`);
  };
  tell({event: 'trace', path: '/old', kind: 'steps', why: 'complete', steps: 3, trigger: 'old'});
  void vi
    .waitUntil(() => existsSync(control) && readFileSync(control, 'utf8').endsWith('\n'), patience)
    .then(() => {
      const {id} = JSON.parse(readFileSync(control, 'utf8')) as {id: string};
      for (const event of answer(id)) tell(event);
    });
  const asked = () => JSON.parse(readFileSync(control, 'utf8')) as object;
  return {run: {pid, host: hostname(), name: 'train.py', folder, job: null}, asked};
}

const surroundings = (waitMs: number = patience.timeout) => ({
  signal: new AbortController().signal,
  waitMs,
  onProgress: vi.fn<(text: string) => void>(),
});

it('triggerRun(run, request) asks in the run’s folder, and gives the profiles of all ranks of this request', async () => {
  const trace = (id: string, rank: number) => ({
    ...{event: 'trace', kind: 'steps', why: 'complete', steps: 2, rank, world: 2, first: 5003, trigger: id, loop},
    path: `/r/train.step5003.rank${String(rank)}`,
  });
  const {run, asked} = idleRun(id => [
    {event: 'trigger', id, state: 'ready'},
    {event: 'trigger', id, state: 'taken'},
    {event: 'trigger', id, state: 'taken', pid: 8},
    {event: 'step', phase: 'warm-up', done: 1, total: 1},
    trace(id, 1),
    {event: 'trigger', id, state: 'done'},
    trace(id, 0),
    {...trace('other', 0), path: '/r/other'},
    {event: 'trigger', id, state: 'done', pid: 8},
  ]);
  const around = surroundings();
  const result = await triggerRun(run, {steps: 2, ranks: [0, 1], stack: true}, around);
  expect(asked()).toMatchObject({v: 1, request: 'record', steps: 2, ranks: [0, 1], stack: true});
  expect(result.profiles.map(({path}) => path)).toEqual(['/r/train.step5003.rank0', '/r/train.step5003.rank1']);
  expect(result).toMatchObject({status: 0, isCancelled: false, sentences: []});
  expect(result.notes).toEqual(['Recorded 2 training steps of GPT, train.py:9, from step 5,003 on.']);
  expect(around.onProgress).toHaveBeenCalledWith('warm-up 1/1');
});

it('triggerRun(run, request) says that no step came, and where the next ones are kept', async () => {
  const {run} = idleRun(() => []);
  const result = await triggerRun(run, {}, surroundings(500));
  expect(result).toMatchObject({status: 1, profiles: []});
  expect(result.sentences).toEqual([
    `train.py took no step for 1 s. Its next steps are recorded when they come, in ${run.folder}.`,
  ]);
});

it.each([
  ['train.py ended before its next step.', [{event: 'exit', status: 0, tail: []}]],
  [
    'train.py profiles itself, or an error ended its recording: it cannot be recorded any more.',
    [{event: 'trigger', state: 'refused'}],
  ],
  [
    'train.py profiles itself, or an error ended its recording: it cannot be recorded any more.',
    [
      {event: 'trigger', state: 'taken'},
      {event: 'trigger', state: 'refused'},
    ],
  ],
  [
    'train.py ended before its steps were recorded.',
    [
      {event: 'trigger', state: 'taken'},
      {event: 'exit', status: 0, tail: []},
    ],
  ],
])('triggerRun(run, request) says that %s', async (sentence, events) => {
  const {run} = idleRun(id => events.map(event => ({...event, id})));
  expect((await triggerRun(run, {}, surroundings())).sentences).toEqual([sentence]);
});

it('triggerRun(run, request) waits for no run that is gone', async () => {
  const {run} = idleRun(() => [], 2 ** 22 + 1);
  expect((await triggerRun(run, {}, surroundings())).sentences).toEqual(['train.py ended before its next step.']);
});
