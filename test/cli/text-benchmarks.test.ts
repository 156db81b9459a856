import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {hasSeeds, seedPath} from '../support/seeds.js';

const folder = temporaryFolder();

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const kept = written(
  'kept.md',
  `# Precision

| Model Size | Context Length | Forward Time (ms)      |              |
| ---------- | -------------- | ---------------------- | ------------ |
|            |                | **No Mixed Precision** | **bfloat16** |
| small      | 128            | 20.0                   | 25.0         |
| xl         | 128            | 400.0                  | ❌ Failed    |
`,
);

/** The tables of an output in Markdown: their titles, and the cells of their rows without header and rule. */
function tablesOf(markdown: string): {title: string; rows: string[][]}[] {
  return markdown
    .split(/^\*\*(?=.*\*\*$)/m)
    .slice(1)
    .map(text => ({
      title: text.slice(0, text.indexOf('**')),
      rows: [...text.matchAll(/^\| (.*) \|$/gm)].slice(2).map(([, row = '']) => row.split(' | ')),
    }));
}

describe('gpu-lens bench TEXT', () => {
  it('writes the benchmarks that somebody kept side by side, with the change, and failures as such', () => {
    const {status, stdout, stderr} = run('bench', kept, '--format', 'markdown');
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(tablesOf(stdout).at(-1)).toEqual({
      title: 'Precision: bf16 against fp32 (ms)',
      rows: [
        ['small', '128', '20.00', '25.00', '+5.00', '+25.0%'],
        ['xl', '128', '400.0', '❌ Failed', 'N/A', 'N/A'],
      ],
    });
  });

  it('says what it has not: JSON, phases, benchmarks', () => {
    expect(run('bench', kept, '--format', 'json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('A text has no steps for JSON. Use --format csv') as string,
    });
    expect(run('bench', kept, '--layout', 'phases')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('phases') as string,
    });
    const without = written(
      'kernels.md',
      '| Time | Total Time | Instances | Name |\n|---|---|---|---|\n| 9% | 8 ms | 7 | k |\n',
    );
    expect(run('bench', without)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is neither a sweep nor a text with tables of benchmarks') as string,
    });
  });

  it.skipIf(!hasSeeds)(
    'is the table that a person made of sizes, lengths and precisions, from that person’s text',
    () => {
      const path = seedPath('001');
      const table = tablesOf(run('bench', path, '--layout', 'comparison', '--format', 'markdown').stdout).find(
        ({title}) => title.endsWith('bf16 against fp32 (ms)'),
      );
      // As it is printed, line by line: | **Small** | 128 | 29.5 | 31.7 | +2.2 | +7.5% ⚠️ | 76.6 | …
      const printed = readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => /^\| \*\*(Small|Medium|Large|XL)\*\* +\| \d/.test(line))
        .map(line => line.match(/\w+(?=\*\*)|[-+]?\d+(?:\.\d+)?%?|❌ Failed|N\/A/g) ?? []);
      expect(printed).toHaveLength(16);
      const isFigure = (cell: string) => /^[-+\d.]+%?$/.test(cell);
      for (const [at, row] of (table?.rows ?? []).entries()) {
        const expected = printed[at] ?? [];
        expect(row.map(cell => (isFigure(cell) ? '#' : cell))).toEqual(
          expected.map(cell => (isFigure(cell) ? '#' : cell)),
        );
        for (const [column, cell] of row.entries()) {
          if (!isFigure(cell)) continue;
          // The person had more digits than are printed: a percentage of 29.6 ms may be off by 0.1 ms of it.
          const slack = cell.endsWith('%') ? 10.1 / Number(row[column < 6 ? 2 : 6]) + 0.1 : 0.11;
          expect(Math.abs(Number.parseFloat(cell) - Number.parseFloat(expected[column] ?? ''))).toBeLessThan(slack);
        }
      }
      expect(table?.rows).toHaveLength(16);
    },
  );

  it.skipIf(!hasSeeds)('has mean ± standard deviation as they were printed', () => {
    const {stdout} = run('bench', seedPath('004'), '--layout', 'times', '--format', 'csv');
    const figures = (text: string) => [...text.matchAll(/([\d.]+) ± ([\d.]+)/g)].map(pair => pair.slice(1).map(Number));
    const printed = figures(readFileSync(seedPath('004'), 'utf8'));
    expect(printed).toHaveLength(48);
    // Figures of three digits before the point have one behind it here.
    for (const [at, pair] of figures(stdout).slice(0, 48).entries()) {
      for (const [part, figure] of pair.entries())
        expect(Math.abs(figure - (printed[at]?.[part] ?? NaN))).toBeLessThan(0.051);
    }
  });
});

it.skipIf(!hasSeeds)(
  'gpu-lens compare sets the three printed runs of a text side by side, as they were printed',
  () => {
    const path = seedPath('003');
    const {runs, rows} = JSON.parse(run('compare', path, '--by', 'kernel', '--format', 'json').stdout) as {
      runs: {file: string}[];
      rows: {path: string; values: (number | null)[]}[];
    };
    expect(runs.map(({file}) => file)).toEqual(['forward', 'backward', 'train'].map(name => `2.7B_ctx512_${name}`));
    // The line of a kernel in each of three tables: Time (%), Total Time (ns), Instances, …
    const printed = [...readFileSync(path, 'utf8').matchAll(/^\s+[\d.]+\s+([\d,]+)\s.*\sampere_sgemm_128x64_tn$/gm)];
    const totals = printed.map(([, total = '']) => Number(total.replaceAll(',', '')));
    expect(totals).toHaveLength(3);
    expect(rows.find(row => row.path === 'ampere_sgemm_128x64_tn')?.values).toEqual(totals);
  },
);
