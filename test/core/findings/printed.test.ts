import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Finding} from '../../../src/core/findings/rules/finding.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {cell, findingsIn} from '../../support/findings.js';
import {temporaryFolder} from '../../support/project.js';
import {hasSeeds, seedPath} from '../../support/seeds.js';

const folder = temporaryFolder();
let files = 0;

async function traceOf(text: string) {
  const path = join(folder, `text-${String(files++)}.txt`);
  writeFileSync(path, text);
  return openTrace(path);
}

/** Range → instances, total, median and longest, ms: three passes of warm-up and one step of two layers each. */
const ranges: readonly (readonly [string, number, number, number, number])[] = [
  ['warm', 1, 900, 900, 900],
  ['outer', 1, 200, 200, 200],
  ['inside', 1, 190, 190, 190],
  ['block', 8, 600, 20, 450],
  ['part', 4, 40, 10, 11],
];
const kernels: readonly (readonly [string, number, number])[] = [
  ['ampere_sgemm_128x64_tn', 100, 300],
  ['vectorized_elementwise_kernel', 50, 100],
];

interface Making {
  /** Every time is multiplied by it. */
  readonly scale?: number;
  readonly renamed?: (name: string) => string;
  readonly instances?: readonly number[];
  readonly copiesMs?: number;
}

/** What nsys stats prints, in its own layout. */
function report({scale = 1, renamed = name => name, instances, copiesMs = 80}: Making = {}): string {
  const time = (ms: number) => Math.round(ms * 1e6 * scale).toLocaleString('en-US');
  const decimal = (ms: number) => `${time(ms)}.0`;
  const line = (cells: readonly string[], widths: readonly number[]) =>
    `${cells.map((text, at) => (at === cells.length - 1 ? ` ${text}` : text.padStart(widths[at] ?? 0))).join('  ')}\n`;
  const widths = [9, 18, 10, 18, 18, 16, 16, 16, 8];
  const rule = (count: number) =>
    line([...widths.slice(0, count - 1).map(width => '-'.repeat(width - 1)), '-'.repeat(40)], widths);
  const head = (titles: readonly string[]) => line(titles, widths) + rule(titles.length);
  const times = ['Time (%)', 'Total Time (ns)'];
  const spread = ['Avg (ns)', 'Med (ns)', 'Min (ns)', 'Max (ns)', 'StdDev (ns)'];
  const all = ranges.reduce((sum, [, , total]) => sum + total, 0);
  const ofKernels = kernels.reduce((sum, [, , total]) => sum + total, 0);
  const numbers = (share: number, count: number, total: number, median: number, longest: number) => [
    share.toFixed(1),
    time(total),
    String(count),
    decimal(total / count),
    decimal(median),
    time(median),
    time(longest),
    '0.0',
  ];
  const plain = (share: number, count: number, total: number) =>
    numbers(share, count, total, total / count, total / count);
  return [
    "[3/8] Executing 'nvtx_sum' stats report\n\n",
    head([...times, 'Instances', ...spread, 'Style', 'Range']),
    ...ranges.map(([name, count, total, median, longest], at) =>
      line(
        [
          ...numbers((100 * total) / all, instances?.[at] ?? count, total, median, longest),
          'PushPop',
          `:${renamed(name)}`,
        ],
        widths,
      ),
    ),
    "\n[5/8] Executing 'cuda_api_sum' stats report\n\n",
    head([...times, 'Num Calls', ...spread, 'Name']),
    ...[60, 59, 5].map((total, at) =>
      line(
        [...plain((100 * total) / 124, at < 2 ? 150 : 4, total), at < 2 ? 'cudaLaunchKernel' : 'cudaMalloc'],
        widths,
      ),
    ),
    "\n[6/8] Executing 'cuda_gpu_kern_sum' stats report\n\n",
    head([...times, 'Instances', ...spread, 'Name']),
    ...kernels.map(([name, count, total]) =>
      line([...plain((100 * total) / ofKernels, count, total), renamed(name)], widths),
    ),
    "\n[7/8] Executing 'cuda_gpu_mem_time_sum' stats report\n\n",
    head([...times, 'Count', ...spread, 'Operation']),
    line([...plain(100, 10, copiesMs), '[CUDA memcpy Host-to-Device]'], widths),
    '\n',
  ].join('');
}

const byRule = (findings: readonly Finding[]) => new Map(findings.map(finding => [finding.rule, finding]));
const valueOf = (finding: Finding | undefined, text: RegExp) =>
  finding?.evidence.find(evidence => text.test(evidence.text))?.value;

describe('what people conclude from nsys stats', () => {
  it('has each false share, with the figures of the text', async () => {
    const found = byRule(await findingsIn(await traceOf(report())));
    expect([...found.keys()].sort()).toEqual([
      'printed/calls-listed-twice',
      'printed/copies-beside-kernels',
      'printed/host-time',
      'printed/several-passes',
      'printed/slow-instances',
    ]);
    const passes = found.get('printed/several-passes');
    expect(passes?.title).toContain('“block” was summed over 4 passes, and “outer” ran once: 300 %');
    expect(valueOf(passes, /over “outer”, CPU time/)).toBe(20);
    expect(valueOf(passes, /passes besides that of the step/)).toBe(3);
    expect(valueOf(found.get('printed/host-time'), /matrix products/)).toBe(75);
    expect(valueOf(found.get('printed/host-time'), /over the time of all kernels/)).toBe(150);
    expect(valueOf(found.get('printed/copies-beside-kernels'), /copies as a share/)).toBe(20);
    expect(valueOf(found.get('printed/copies-beside-kernels'), /together/)).toBe(62.5);
    expect(valueOf(found.get('printed/slow-instances'), /over the median/)).toBe(22.5);
    expect(valueOf(found.get('printed/calls-listed-twice'), /calls counted twice/)).toBe(150);
    expect(valueOf(found.get('printed/calls-listed-twice'), /time counted twice/)).toBe(59e6);
  });

  it('gives every number by its query', async () => {
    const trace = await traceOf(report());
    for (const {evidence} of await findingsIn(trace)) {
      for (const {query, value} of evidence) expect(await cell(trace, query)).toBe(value);
    }
  });

  it('follows the text: times scale, shares stay, and names are those of the rows', async () => {
    const base = await findingsIn(await traceOf(report()));
    for (const [scale, prefix] of [
      [2, 'ab'],
      [7, 'Zeta'],
      [13, 'x.y'],
      [0.5, 'länge'],
    ] as const) {
      const renamed = (name: string) => `${prefix}_${name}`;
      const changed = await findingsIn(await traceOf(report({scale, renamed})));
      expect(changed.map(({rule}) => rule)).toEqual(base.map(({rule}) => rule));
      changed.forEach((finding, at) => {
        const before = base[at]?.evidence ?? [];
        finding.evidence.forEach(({value, unit}, item) => {
          expect(value).toBeCloseTo((before[item]?.value ?? NaN) * (unit === 'ns' ? scale : 1), 6);
        });
      });
      expect(byRule(changed).get('printed/several-passes')?.title).toContain(`“${prefix}_block”`);
    }
  });

  it('counts no product where no kernel has the name of one', async () => {
    const found = byRule(
      await findingsIn(await traceOf(report({renamed: name => (name.startsWith('ampere') ? 'work' : name)}))),
    );
    expect(valueOf(found.get('printed/host-time'), /matrix products/)).toBe(0);
  });

  it('is silent where one pass is one step, and where copies are few', async () => {
    const text = report({instances: [1, 1, 1, 3, 2], copiesMs: 5});
    const rules = (await findingsIn(await traceOf(text))).map(({rule}) => rule);
    expect(rules).not.toContain('printed/several-passes');
    expect(rules).not.toContain('printed/copies-beside-kernels');
    expect(rules).not.toContain('printed/slow-instances');
  });
});

/** A table as key_averages prints it, in Markdown. */
const keyAverages = (rows: readonly string[]) =>
  `## Run\n\n| Name | Self CPU % | Self CPU | CPU total % | CPU total | CPU time avg | Self CUDA | Self CUDA % | CUDA total | CUDA time avg | # of Calls |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n${rows.map(row => `| ${row} |\n`).join('')}`;

describe('what key_averages tells', () => {
  const items = (calls: number, share: string) =>
    `aten::item | 2.00% | 1.000ms | ${share} | 30.000ms | 60.000us | 0.000us | 0.00% | 1.000ms | 1.000us | ${String(calls)}`;
  const products = (calls: number, gpu: string) =>
    `aten::addmm | 4.00% | 9.000ms | 7.00% | 90.000ms | 90.000us | 80.000ms | 9.00% | 80.000ms | ${gpu} | ${String(calls)}`;
  const layer = 'MyMoE | 1.00% | 1.000ms | 50.00% | 90.000ms | 9.000ms | 0.000us | 0.00% | 80.000ms | 8.000ms | 10';

  it('waits for single values, and small products with the layer that they are of', async () => {
    const found = byRule(
      await findingsIn(await traceOf(keyAverages([items(500, '12.00%'), products(2000, '40.000us'), layer]))),
    );
    expect(found.get('printed/many-waits')).toMatchObject({severity: 'medium', gainAtMostNs: 30e6});
    expect(found.get('printed/many-waits')?.evidence.map(({value}) => value)).toEqual([500, 30e6, 12]);
    expect(found.get('printed/small-products')?.evidence.map(({value}) => value)).toEqual([
      2000, 40e3, 90e3, 80e6, 10, 200,
    ]);
  });

  it('is silent about few waits, and about products that fill the GPU', async () => {
    expect(await findingsIn(await traceOf(keyAverages([items(50, '12.00%'), products(2000, '140.000us')])))).toEqual(
      [],
    );
  });
});

describe('what benchmarks tell', () => {
  it('mixed precision that is slower, by the columns’ own names', async () => {
    const text =
      '| Model | Step fp32 (ms) | Step bf16 (ms) |\n| --- | --- | --- |\n| a | 10.0 | 11.0 |\n| b | 20.0 | 10.0 |\n| c | 10.0 | 10.05 |\n';
    const found = byRule(await findingsIn(await traceOf(text))).get('printed/mixed-precision');
    expect(found?.evidence.map(({value}) => value)).toEqual([1, 3, 10, 10]);
    const faster = text.replace('11.0', '9.0');
    expect(await findingsIn(await traceOf(faster))).toEqual([]);
  });

  it('a first sample that is warm-up', async () => {
    const samples = (first: number) => `forward [${[first, 10, 10, 10, 10].join('.0 ')}.0]\n`;
    const found = byRule(
      await findingsIn(
        await traceOf(
          `without warmup:\n\n\`\`\`\n${samples(100)}${samples(10).replace('forward', 'backward')}\`\`\`\n`,
        ),
      ),
    );
    expect(valueOf(found.get('printed/first-sample'), /over the median/)).toBe(10);
  });
});

describe.skipIf(!hasSeeds)('the texts that people published', () => {
  it('have their figures', async () => {
    const found = byRule(await findingsIn(await openTrace(seedPath('003'))));
    const percents = (rule: string, text: RegExp) =>
      (found.get(rule)?.evidence ?? []).filter(evidence => text.test(evidence.text)).map(({value}) => value);
    expect(percents('printed/several-passes', /over “[^”]*”$/)).toEqual([231, 81.3, 68.8]);
    expect(percents('printed/host-time', /matrix products/)).toEqual([91.36, 89.73, 84.03]);
    expect(percents('printed/copies-beside-kernels', /copies as a share/).map(Math.round)).toEqual([104, 68, 14]);
    expect(percents('printed/calls-listed-twice', /rows that/)).toEqual([6, 7, 6]);
    const moe = byRule(await findingsIn(await openTrace(seedPath('000'))));
    expect(moe.get('printed/many-waits')?.evidence[0]?.value).toBe(40_995);
    expect(moe.get('printed/small-products')?.evidence[0]?.value).toBe(7740);
    expect(moe.get('printed/small-products')?.evidence.at(-1)?.value).toBe(128 * 2 + 60 / 30);
  });
});
