import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {project, temporaryFolder} from '../support/project.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {hasSeeds, seedPath} from '../support/seeds.js';

const folder = temporaryFolder();

/** The answers of a report: question → rows, each by column. */
function answersOf(file: string, ...options: string[]): Map<string, Record<string, string>[]> {
  const output = join(folder, 'sheet.md');
  expect(run('report', file, '-o', output, ...options)).toMatchObject({status: 0});
  const sections = readFileSync(output, 'utf8').split(/^## /m).slice(1);
  return new Map(
    sections.map(section => {
      const [title = '', ...lines] = section.split('\n');
      const [head = [], , ...rows] = lines.filter(line => line.startsWith('| ')).map(cellsOf);
      return [
        title.replace(/^\d+\. /, ''),
        rows.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']))),
      ];
    }),
  );
}

const cellsOf = (line: string): string[] =>
  line
    .slice(2, -2)
    .split(' | ')
    .map(cell => cell.replaceAll('\\', ''));

function rowsOf(answers: ReturnType<typeof answersOf>, question: RegExp): Record<string, string>[] {
  const rows = Array.from(answers).find(([title]) => question.test(title))?.[1];
  if (!rows) throw new Error(`No question ${question.source}.`);
  return rows;
}

const percent = (text = ''): number => Number(text.replace(' %', ''));

/** What a kept text says itself: the first group of a pattern. */
function said(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`The text does not say ${pattern.source}.`);
  return found;
}

describe('the questions (a) to (e) of the kept texts', () => {
  const model = join(project, 'test', 'fixtures', 'bench-model', 'train.pt.trace.json.gz');

  it('are answered from a run of the reference model on the CPU', () => {
    const answers = answersOf(model, '--attention', '2x2x64x32');
    const {traceEvents} = JSON.parse(gunzipSync(readFileSync(model)).toString()) as {
      traceEvents: readonly {name: string; cat?: string; dur?: number; ts: number; tid?: number | string}[];
    };
    // (a) The mean of the forward pass, recounted.
    const forward = traceEvents.filter(({name, cat}) => name === 'forward_pass' && cat === 'user_annotation');
    const meanMs = forward.reduce((sum, {dur = 0}) => sum + dur, 0) / forward.length / 1000;
    const [pass] = rowsOf(answers, /including warm-up/).filter(({range}) => range === 'forward_pass');
    expect(pass?.['n']).toBe(String(forward.length));
    expect(Number.parseFloat(pass?.['mean'] ?? '')).toBeCloseTo(meanMs, 0);
    // (b) Every call of the operator that costs most, over all passes.
    const [most] = rowsOf(answers, /operators cost most across all/);
    const calls = traceEvents.filter(({name, cat}) => cat === 'cpu_op' && name === most?.['operator']).length;
    expect(most?.['calls']).toBe(String(calls));
    // (c), (d) All classes are all of the time, and each pass has its share of products.
    const classes = rowsOf(answers, /What takes time besides/);
    expect(classes.reduce((sum, {share}) => sum + percent(share), 0)).toBeCloseTo(100, 0);
    expect(rowsOf(answers, /shares change/).map(row => row['pass'])).toEqual(
      expect.arrayContaining(['forward and others', 'backward', 'optimizer']),
    );
    // (e) By the shapes that were recorded, and by the model's: 12 products of 2 · 2 · 2 · 64² · 32 FLOP.
    expect(rowsOf(answers, /softmax compare/).find(({part}) => part?.startsWith('products'))?.['gflop']).toBe('0.0126');
    expect(rowsOf(answers, /given the model’s shape/).find(({part}) => part?.startsWith('products'))?.['gflop']).toBe(
      '0.013',
    );
  });

  describe.skipIf(!hasSeeds)('are answered from the texts as their writers did', () => {
    /** The row of a run, whose cells are texts. */
    const ofRun = (rows: readonly Record<string, string>[], name: string, which = ''): Record<string, string> => {
      const row = rows.find(one => one['run']?.includes(name) === true && (which === '' || one['which'] === which));
      if (!row) throw new Error(`No row of ${name}.`);
      return row;
    };

    /** A share that was read off the whole lies between what is printed of it and that with what is not printed. */
    const expectWithin = (row: Record<string, string>, share: number) => {
      expect(percent(row['elementwise'])).toBeLessThanOrEqual(share + 0.5);
      expect(percent(row['elementwise']) + percent(row['not printed'])).toBeGreaterThanOrEqual(share - 0.5);
    };

    it('001', () => {
      const text = readFileSync(seedPath('001'), 'utf8');
      const answers = answersOf(seedPath('001'));
      const {mean = ''} = ofRun(rowsOf(answers, /How long/), 'with warmup', 'all');
      expect(Math.abs(Number.parseFloat(mean) - Number(said(text, /we measured ([\d.]+)ms/)))).toBeLessThan(1);
      const kernels = rowsOf(answers, /kernels cost most/).filter(({run: of = ''}) =>
        of.includes('(cuda_gpu_kern_sum)'),
      );
      const named = [said(text, /are `(\w+)` and/), said(text, /are `\w+` and `(\w+)`/)];
      expect(kernels.slice(0, 2).map(({kernel}) => kernel)).toEqual(named);
      const shares = rowsOf(answers, /What takes time besides/);
      expectWithin(ofRun(shares, '(cuda_gpu_kern_sum)'), Number(said(text, /also (\d+)% element/)));
      expectWithin(ofRun(shares, 'forward and backward'), Number(said(text, /about (\d+)% of overall time\.\n/)));
      const parts = rowsOf(answers, /softmax compare/).map(({part = '', share}) => [part, Math.round(percent(share))]);
      expect(Object.fromEntries(parts)).toEqual({
        softmax: Number(said(text, /Softmax takes about (\d+)%/)),
        'products of attention': Number(said(text, /matmul takes (\d+)%/)),
      });
    });

    it('003', () => {
      const text = readFileSync(seedPath('003'), 'utf8');
      const answers = answersOf(seedPath('003'));
      const passes = rowsOf(answers, /How long/).filter(({run: of}) => of?.includes('_train'));
      const step = Number(said(text, /^profiled_step ([\d,]+) /m).replaceAll(',', '')) / 1e9;
      const shown = passes.find(({pass}) => pass === 'profiled_step')?.['mean'] ?? '';
      expect(Math.abs(Number.parseFloat(shown) - step)).toBeLessThan(0.01);
      const kernels = rowsOf(answers, /kernels cost most/).filter(({run: of}) => of?.includes('_train'));
      const claimed = Number(said(text, /^ampere_sgemm_128x64_tn ([\d.]+)% /m));
      expect(percent(kernels[0]?.['share'])).toBe(claimed);
      // "75 % and more", and "5 to 10 %" elementwise, which are more.
      const shares = rowsOf(answers, /What takes time besides/).find(({run: of}) => of?.includes('_train'));
      expect(percent(shares?.['products'])).toBeGreaterThan(75);
      expect(percent(shares?.['elementwise'])).toBeGreaterThan(10);
      const [{Finding: worst = ''} = {}] = rowsOf(answers, /slows it down/);
      expect(worst).toContain('is not a share of that step');
    });

    it('004', () => {
      const text = readFileSync(seedPath('004'), 'utf8');
      const rows = rowsOf(answersOf(seedPath('004')), /How long/);
      const means = Array.from(text.matchAll(/pass mean time: ([\d.]+) ms/g), ([, ms]) => Number(ms));
      const shown = rows.map(({mean = ''}) => Number.parseFloat(mean));
      for (const mean of means) expect(shown.some(one => Math.abs(one - mean) < 0.1)).toBe(true);
      expect(rows).toHaveLength(means.length);
    });
  });

  it.skipIf(!hasData)('are answered from a public profile of the same model', () => {
    const answers = answersOf(join(dataFolder, 'nsys', 'cs336-2.7b-a100.sqlite'), '--attention', '4x32x512x80');
    // What nsys printed of this run.
    const printed = readFileSync(join(dataFolder, 'nsys', 'cs336-2.7b-a100.nsys-stats.txt'), 'utf8');
    const table = printed.slice(printed.search(/cuda_gpu_kern_sum/));
    const [share = '', , calls = ''] = /^ +(\d[\d.]*) +(\d[\d,]*) +(\d[\d,]*) .*$/m.exec(table)?.slice(1) ?? [];
    const [most] = rowsOf(answers, /across all passes/);
    expect(most?.['calls']).toBe(calls);
    expect(percent(most?.['share'])).toBeCloseTo(Number(share), 0);
  });
});
