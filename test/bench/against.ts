// Prints how the figures of a benchmark differ from those of an earlier record; run by scripts/bench.mjs.
import {readFileSync} from 'node:fs';
import {median} from '../../src/core/base/median.js';
import {medianChange} from '../../src/core/compare/median-change.js';
import {medianChangeText} from '../../src/core/text/median-change-text.js';

/** By file and figure, its value in each run. */
type BenchRecord = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

const [, , before = '', now = ''] = process.argv;
const [base, changed] = [before, now].map(path => JSON.parse(readFileSync(path, 'utf8')) as BenchRecord);
const lines = ['| file | figure | before | now | change |', '| --- | --- | ---: | ---: | --- |'];
for (const [file, figures] of Object.entries(changed ?? {})) {
  for (const [figure, values] of Object.entries(figures)) {
    // The others describe the input, not how long it took.
    const earlier = /(Ms|Bytes)$/.test(figure) ? base?.[file]?.[figure] : undefined;
    const change = earlier && medianChange(values, earlier, {areRunsApart: true});
    if (!change) continue;
    const [from, to] = [earlier, values].map(runs => figureText(figure, median(runs)));
    lines.push(`| ${file} | ${figure} | ${from ?? ''} | ${to ?? ''} | ${medianChangeText(change)} |`);
  }
}
process.stdout.write(`${lines.join('\n')}\n`);

/** Formats a figure by the unit in its name. */
function figureText(name: string, value: number): string {
  return name.endsWith('Ms') ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : `${(value / 1e6).toFixed(0)} MB`;
}
