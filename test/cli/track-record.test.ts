import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

/** A run whose steps pause for so many µs in front of 1000 µs of work. */
function recorded(output: string, folder: string, pauseUs: number, script = 'train.py'): string {
  const path = join(output, 'runs', folder);
  mkdirSync(path, {recursive: true});
  const stepUs = pauseUs + 1000;
  const events = [0, 1, 2, 3, 4].flatMap(step => [
    kineto.range(`ProfilerStep#${String(step)}`, step * stepUs, stepUs),
    ...(pauseUs > 0 ? [kineto.range('pause', step * stepUs, pauseUs)] : []),
    kineto.op('aten::mm', step * stepUs + pauseUs, 1000),
  ]);
  const file = join(path, 'train.pt.trace.json');
  writeFileSync(file, kinetoText(events, {}));
  const facts = {name: script, command: ['python', script], cwd: '/home/me', began: '2026-11-01T10:00:00Z'};
  writeFileSync(join(path, 'run.json'), JSON.stringify({version: 1, ...facts}));
  return file;
}

it('whatif keeps a prediction with its run, and sets it beside the first later run that has the change', () => {
  const output = temporaryFolder();
  const before = recorded(output, '20261101-100000-train', 3000);
  const answer = json('whatif', before, '--apply', 'faster=pause:inf') as {predictedNs: number; intervalNs: number[]};
  // Asked again it is one prediction; one that is not to be kept, and one of a profile elsewhere, are none.
  json('whatif', before, '--apply', 'faster=pause:inf');
  json('whatif', before, '--apply', 'data-loader=0', '--no-keep');
  expect(json('whatif', '--record', '--output', output)).toEqual({
    predictions: [
      {
        ...{run: '20261101-100000-train', changes: ['faster=pause:inf'], file: 'train.pt.trace.json'},
        ...{measuredNs: 4_000_000, predictedNs: answer.predictedNs, intervalNs: answer.intervalNs},
        ...{laterRun: null, laterNs: null, errorPoints: null, isInside: null},
      },
    ],
    record: {predictions: 1, judged: 0, inside: 0, medianErrorPoints: null},
  });

  // One that still pauses, one of another script, then the one that does not.
  recorded(output, '20261101-110000-train', 2500);
  recorded(output, '20261101-120000-other', 0, 'other.py');
  recorded(output, '20261101-130000-train', 0);
  const {predictions, record} = json('whatif', '--record', '--output', output) as {
    readonly predictions: readonly object[];
    readonly record: object;
  };
  const points = Math.round((1000 * Math.abs(answer.predictedNs - 1_000_000)) / 4_000_000) / 10;
  expect(predictions[0]).toMatchObject({
    ...{laterRun: '20261101-130000-train', laterNs: 1_000_000, errorPoints: points},
    isInside: true,
  });
  expect(record).toEqual({predictions: 1, judged: 1, inside: 1, medianErrorPoints: points});
  expect(run('whatif', '--record', '--output', output).stdout).toContain('1 inside the interval, median error');

  // It stands beside what is predicted next.
  const later = join(output, 'runs', '20261101-110000-train', 'train.pt.trace.json');
  expect(run('whatif', later, '--apply', 'faster=pause:2').stdout).toContain('Track record: 1 prediction, of which 1');
  const kept = readFileSync(join(output, 'runs', '20261101-110000-train', 'predictions.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({predictions: [{changes: ['faster=pause:2'], outcome: null}]});
});

it('whatif --record says where nothing is kept, and takes no file', () => {
  const output = temporaryFolder();
  expect(run('whatif', '--record', '--output', output).stdout).toMatch(/^No predictions are kept in /);
  expect(run('whatif', 'a.json', '--record')).toMatchObject({status: 2});
});

it('whatif --record goes on behind a later profile and predictions that are damaged, and names both', () => {
  const output = temporaryFolder();
  const before = recorded(output, '20261101-100000-train', 3000);
  json('whatif', before, '--apply', 'faster=pause:inf');
  const damaged = recorded(output, '20261101-110000-train', 0);
  writeFileSync(damaged, 'no profile');
  recorded(output, '20261101-120000-train', 0);
  const strange = join(output, 'runs', '20261101-120000-train', 'predictions.json');
  writeFileSync(strange, '{"predictions": [');
  const {status, stdout, stderr} = run('whatif', '--record', '--output', output, '--format', 'json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({predictions: [{laterRun: '20261101-120000-train', laterNs: 1_000_000}]});
  expect(stderr).toContain(`Note: ${damaged} was left out: it cannot be read.`);
  expect(stderr).toContain(`Note: ${strange} was left out: it cannot be read.`);
});

it('whatif leaves a file of predictions alone that it cannot read, and says that nothing is kept', () => {
  const output = temporaryFolder();
  const profile = recorded(output, '20261101-100000-train', 3000);
  const kept = join(output, 'runs', '20261101-100000-train', 'predictions.json');
  writeFileSync(kept, '{"predictions": [');
  const {notes} = json('whatif', profile, '--apply', 'faster=pause:inf') as {readonly notes: readonly object[]};
  expect(notes).toContainEqual(expect.objectContaining({code: 'what-if/not-kept'}));
  expect(readFileSync(kept, 'utf8')).toBe('{"predictions": [');
  expect(readdirSync(join(output, 'runs', '20261101-100000-train'))).toHaveLength(3);
});
