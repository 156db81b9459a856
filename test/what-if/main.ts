// Prints the errors of replays, and blind pairs: the prediction from one profile, then the measurement in the other
// one. Arguments: the checkout, the folder of real profiles ('' for none), a Python with torch ('' for none), a folder
// to record into.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {median} from '../../src/core/base/median.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {whatIf, type WhatIfAnswer} from '../../src/core/what-if/what-if.js';
import {parseChange} from '../../src/core/what-if/changes/parse-change.js';
import {madePairs, recordPairs} from './made-pairs.js';

const [, , checkout = '.', data = '', python = '', folder = ''] = process.argv;
const print = (line: string) => process.stdout.write(`${line}\n`);

/** A profile, a change, and the profile with the change. */
interface Pair {
  readonly name: string;
  readonly change: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function replayErrors(): Promise<void> {
  const folders = ['kineto', 'nsys', 'compare', 'critical-path', 'graphs', 'trust'];
  const files = folders.flatMap(name =>
    readdirSync(join(data, name))
      .filter(file => /\.(json\.gz|sqlite)$/.test(file))
      .sort()
      .map(file => join(name, file)),
  );
  const percents: number[] = [];
  for (const file of files) {
    const trace = await openTrace(join(data, file));
    if (trace.gpuOperations.length === 0) continue;
    const {errorPercent, notes} = whatIf(trace, null);
    percents.push(Math.abs(errorPercent ?? Infinity));
    const refused = notes.map(({code}) => code).join(' ');
    print(
      (errorPercent === null ? 'refused' : `${errorPercent.toFixed(3)} %`).padStart(10) +
        `  ${file}  ${errorPercent === null ? refused : ''}`,
    );
  }
  const within = (most: number) => percents.filter(percent => percent <= most).length;
  print(
    `Replay: median ${median(percents).toFixed(3)} %, within 1 % ${String(within(1))}, within 3 % ${String(within(3))} of ${String(percents.length)}`,
  );
}

/** Returns the answer for the quietest of several recordings: the one with the shortest steps. */
async function quietest(paths: readonly string[], change: string | null): Promise<WhatIfAnswer> {
  let best: WhatIfAnswer | null = null;
  for (const path of paths) {
    const parsed = change === null ? null : parseChange(change);
    if (typeof parsed === 'string') throw new RangeError(parsed);
    const answer = whatIf(await openTrace(path), null, parsed ? [parsed] : []);
    if (!best || answer.measuredNs < best.measuredNs) best = answer;
  }
  if (!best) throw new RangeError('No recording.');
  return best;
}

/**
 * Prints the prediction before the other profile is read. Returns whether it is within 5 points, and in the interval.
 */
async function judge({name, change, before, after}: Pair): Promise<{isNear: boolean; isCovered: boolean}> {
  const {measuredNs, predictedNs, intervalNs} = await quietest(before, change);
  if (predictedNs === null || intervalNs === null) {
    print(`${name}: ${change} cannot be told`);
    return {isNear: false, isCovered: false};
  }
  const ms = (ns: number) => (ns / 1e6).toFixed(2);
  const [low, high] = intervalNs;
  print(`${name}: ${ms(measuredNs)} ms, ${change}: predicted ${ms(predictedNs)} ms (${ms(low)} to ${ms(high)})`);
  const afterNs = (await quietest(after, null)).measuredNs;
  const points = (100 * Math.abs(predictedNs - afterNs)) / measuredNs;
  const isCovered = afterNs >= low && afterNs <= high;
  print(
    `  measured ${ms(afterNs)} ms: ${points.toFixed(1)} points off, ${isCovered ? 'inside' : 'outside'} the interval`,
  );
  return {isNear: points <= 5, isCovered};
}

const pairs: Pair[] = [];
if (data !== '' && existsSync(join(data, 'kineto'))) {
  await replayErrors();
  const file = (workers: number) => [join(data, 'compare', `resnet50-workers-${String(workers)}.pt.trace.json.gz`)];
  pairs.push({name: 'resnet50, data loader', change: 'loader-workers=4', before: file(0), after: file(4)});
} else print('Skipped: the public profiles are not there (set GPU_LENS_DATA).');
if (python === '') print('Skipped: the made pairs, since there is no Python with torch (set GPU_LENS_PYTHON).');
else {
  const recorded = recordPairs(join(checkout, 'test', 'what-if', 'programs', 'pairs.py'), python, folder);
  pairs.push(...madePairs.map(({name, change}) => ({name, change, ...recorded(name)})));
}
const verdicts = [];
for (const pair of pairs) verdicts.push(await judge(pair));
const near = verdicts.filter(({isNear}) => isNear).length;
const covered = verdicts.filter(({isCovered}) => isCovered).length;
print(`Pairs: ${String(near)} of ${String(pairs.length)} within 5 points, ${String(covered)} inside the interval`);
