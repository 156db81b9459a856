import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {keepPredictions, predictionsOfRuns, type NewPrediction} from '../../../src/launch/history/kept-predictions.js';
import {findOutcomes} from '../../../src/launch/history/prediction-outcomes.js';
import {temporaryFolder} from '../../support/project.js';

function recorded(runs: string, folder: string): string {
  const path = join(runs, folder);
  mkdirSync(path, {recursive: true});
  const facts = {name: 'train.py', command: ['python', 'train.py'], cwd: '/home/me', began: '2026-11-01T10:00:00Z'};
  writeFileSync(join(path, 'run.json'), JSON.stringify({version: 1, ...facts}));
  const profile = join(path, 'a.json');
  writeFileSync(profile, '');
  return profile;
}
const prediction = (change: string, predictedNs = 500): NewPrediction => ({
  ...{changes: [change], measuredNs: 1000, predictedNs, intervalNs: [predictedNs, predictedNs]},
});

it('findOutcomes(runs, measure) opens a later profile once for all predictions of an earlier one, but for none of small gain', async () => {
  const runs = temporaryFolder();
  const made = [prediction('a'), prediction('b'), prediction('small', 990)];
  expect(await keepPredictions(recorded(runs, '1'), made)).toBe(true);
  const later = ['2', '3'].map(name => recorded(runs, name));
  const opened: unknown[] = [];
  const found = await findOutcomes(runs, (profile, predictions) => {
    opened.push([profile, predictions.map(({changes}) => changes[0])]);
    return Promise.resolve(predictions.map(({changes}) => (changes[0] === 'a' || profile === later[1] ? 600 : null)));
  });
  expect(opened).toEqual([
    [later[0], ['a', 'b']],
    [later[1], ['b']],
  ]);
  const outcomes = [{run: '2', measuredNs: 600}, {run: '3', measuredNs: 600}, null];
  expect(found.runs[0]?.predictions.map(({outcome}) => outcome)).toEqual(outcomes);
  expect(found).toMatchObject({damaged: [], unreadable: [], unopened: 0});
  const kept = await predictionsOfRuns(runs);
  expect(kept.runs[0]?.predictions.map(({outcome}) => outcome)).toEqual(outcomes);
});

it('findOutcomes(runs, measure) opens 60 profiles at the most and counts the others, and keeps what was predicted meanwhile', async () => {
  const runs = temporaryFolder();
  const first = recorded(runs, '000');
  await keepPredictions(first, [prediction('a'), prediction('b')]);
  for (let run = 1; run <= 62; run++) recorded(runs, String(run).padStart(3, '0'));
  let opened = 0;
  const found = await findOutcomes(runs, async (_profile, predictions) => {
    opened++;
    // Another window asks, while this one looks.
    if (opened === 1) await keepPredictions(first, [prediction('c')]);
    return predictions.map(({changes}) => (changes[0] === 'a' ? 600 : null));
  });
  expect(opened).toBe(60);
  expect(found.unopened).toBe(2);
  const kept = await predictionsOfRuns(runs);
  expect(kept.runs[0]?.predictions.map(({changes: [change], outcome}) => [change, outcome?.run ?? null])).toEqual([
    ['a', '001'],
    ['b', null],
    ['c', null],
  ]);
});

it('keepPredictions(profile, made) keeps nothing outside a run, nor over what it cannot read, and leaves no other file', async () => {
  const runs = temporaryFolder();
  writeFileSync(join(runs, 'a.json'), '');
  expect(await keepPredictions(join(runs, 'a.json'), [prediction('a')])).toBeNull();
  const profile = recorded(runs, '1');
  const kept = join(runs, '1', 'predictions.json');
  writeFileSync(kept, '{');
  expect(await keepPredictions(profile, [prediction('a')])).toBe(false);
  expect(readFileSync(kept, 'utf8')).toBe('{');
  expect(readdirSync(join(runs, '1')).sort()).toEqual(['a.json', 'predictions.json', 'run.json']);
  expect(await predictionsOfRuns(runs)).toEqual({runs: [], damaged: ['1']});
});

it('keepPredictions(profile, made) keeps all of them where several are made at once', async () => {
  const runs = temporaryFolder();
  const profile = recorded(runs, '1');
  const names = ['a', 'b', 'c', 'd', 'e'];
  const kept = await Promise.all(names.map(name => keepPredictions(profile, [prediction(name)])));
  expect(kept).toEqual(names.map(() => true));
  const [run] = (await predictionsOfRuns(runs)).runs;
  expect(run?.predictions.flatMap(({changes}) => changes).sort()).toEqual(names);
});

it('predictionsOfRuns(runs) reads all runs, however many there are', async () => {
  const runs = temporaryFolder();
  const folders = Array.from({length: 301}, (_, at) => String(at).padStart(3, '0'));
  for (const folder of folders) mkdirSync(join(runs, folder));
  await keepPredictions(recorded(runs, '000'), [prediction('a')]);
  expect((await predictionsOfRuns(runs)).runs).toMatchObject([{folder: '000', predictions: [{changes: ['a']}]}]);
});
