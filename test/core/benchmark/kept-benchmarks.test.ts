import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {comparisonTable} from '../../../src/core/benchmark/comparison-table.js';
import {layoutText} from '../../../src/core/benchmark/layout-table.js';
import {textMeasurements, type MeasurementSet} from '../../../src/core/benchmark/text-measurements.js';
import {timesTable} from '../../../src/core/benchmark/times-table.js';
import {outliers} from '../../../src/core/benchmark/step-statistics.js';
import {benchmarkRuns} from '../../../src/core/reports/benchmark-runs.js';
import {readTextTables} from '../../../src/importers/text/read-text-tables.js';
import {hasSeeds, seedPath} from '../../support/seeds.js';

function setsOf(number: string): MeasurementSet[] {
  return textMeasurements(benchmarkRuns(readTextTables(readFileSync(seedPath(number), 'utf8')).tables));
}

function setCalled(number: string, title: string): MeasurementSet {
  const found = setsOf(number).find(set => set.title.includes(title));
  if (!found) throw new Error(`${title} is not in ${number}.`);
  return found;
}

/** How far a column of the table may be from what was printed: means, their difference in ms, the change in percent. */
function slack(cell: number, baseMs: number): number {
  return [1e-9, 1e-9, 0.11, 10.1 / baseMs + 0.05][cell % 4] ?? 0;
}

describe.skipIf(!hasSeeds)('textMeasurements(runs)', () => {
  it('comparisonTable(measurements, "precision") is the table that a person made of the same means', () => {
    const {columns, rows} = comparisonTable(setCalled('001', 'mixed precision').measurements, 'precision');
    expect(columns.slice(2, 6)).toMatchObject([
      {group: 'Forward', title: 'fp32'},
      {group: 'Forward', title: 'bf16'},
      // The text has no deviations.
      {group: 'Forward', title: 'Difference (no interval)'},
      {group: 'Forward', title: '% Change (no interval)'},
    ]);
    // As it is printed, line by line: | **Small** | 128 | 29.5 | 31.7 | +2.2 | +7.5% ⚠️ | 76.6 | …
    const printed = readFileSync(seedPath('001'), 'utf8')
      .split('\n')
      .filter(line => /^\| \*\*(Small|Medium|Large|XL)\*\* +\| \d/.test(line))
      .map(line => (line.match(/[-+]?\d+\.\d+%?|Failed|N\/A/g) ?? []).map(text => text.replace('Failed', '❌ Failed')));
    expect(rows).toHaveLength(16);
    for (const [at, row] of rows.entries()) {
      const texts = row.slice(2).map(({text}) => text);
      expect(texts).toHaveLength(8);
      const baseMs = Number.parseFloat(texts[0] ?? '');
      for (const [cell, text] of texts.entries()) {
        const expected = printed[at]?.[cell] ?? '';
        if (!/\d/.test(expected)) expect(text).toBe(expected);
        // The person had means with more digits than are printed: a difference may be off by two roundings.
        else expect(Math.abs(Number.parseFloat(text) - Number.parseFloat(expected))).toBeLessThan(slack(cell, baseMs));
      }
    }
  });

  it('timesTable(measurements) is the table that a person printed, to the letter of its figures', () => {
    const table = timesTable(setCalled('004', 'Benchmark Summary').measurements);
    expect(table.columns.map(({group, title}) => `${group} ${title}`.trim())).toEqual([
      'Size',
      'Context length',
      'Forward (ms)',
      'Backward (ms)',
    ]);
    const figures = layoutText(table, 'csv').split('\n').slice(1, 13);
    expect(figures[0]).toBe('small,128,33.29 ± 0.71,46.72 ± 0.15');
    expect(figures[6]).toBe('medium,512,67.23 ± 1.11,116.9 ± 0.6');
    expect(figures).toHaveLength(12);
  });

  it('brings samples with and without warm-up together, and tells the slow first step', () => {
    const {measurements, note} = setCalled('001', 'Samples');
    expect(note).toContain('no unit');
    expect(measurements.map(({size, pass}) => [size, pass])).toEqual([
      ['with warmup', 'forward'],
      ['with warmup', 'forward+backward'],
      ['without warmup', 'forward'],
      ['without warmup', 'forward+backward'],
    ]);
    expect(outliers(measurements[2]?.stepNs ?? []).indexOf(true)).toBe(0);
    expect(outliers(measurements[1]?.stepNs ?? []).lastIndexOf(true)).toBe(9);
  });

  it('brings means and deviations that stand in lines together', () => {
    const {measurements} = setCalled('004', 'Means');
    expect(measurements.map(({size, pass, statistics}) => [size, pass, statistics?.meanNs, statistics?.stdNs])).toEqual(
      [
        ['benchmarking_script', 'forward', 20956710.1, 2265681.259441603],
        ['benchmarking_script', 'backward', 34199573.2, 34423090.40537658],
        ['No warmup', 'forward', 58308531.7, 114871214.96467516],
        ['No warmup', 'backward', 33161000.3, 32427180.67524797],
        ['1 warmup', 'forward', 20368225.6, 1816199.6007968506],
        ['1 warmup', 'backward', 32350314.6, 29964810.661511786],
      ],
    );
  });

  it('tells devices of one table apart, and keeps what is no figure', () => {
    const measurements = setsOf('001')[0]?.measurements ?? [];
    expect(new Set(measurements.map(({device}) => device))).toEqual(new Set(['cpu', 'mps', 'cuda']));
    expect(measurements.filter(({problem}) => problem !== null).map(({problem}) => problem)).toEqual([
      '1069.6msa',
      'TBD',
      'TBD',
    ]);
  });
});
