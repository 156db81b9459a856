import {describe, expect, it} from 'vitest';
import {benchmarkRuns} from '../../../src/core/reports/benchmark-runs.js';
import {textReports} from '../../../src/core/reports/text-reports.js';
import {isCutName, type TextTable} from '../../../src/core/trace/text-table.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {hasSeeds, seedPath} from '../../support/seeds.js';

async function tablesOf(seed: string): Promise<readonly TextTable[]> {
  return (await openTrace(seedPath(seed))).textTables;
}

/** Name, rows and, of the column given, the sum. */
function sums(tables: readonly TextTable[], title: string): [name: string, rows: number, sum: number][] {
  const reports = textReports(tables);
  return tables.flatMap((table, at) => {
    const column = table.columns.findIndex(candidate => candidate.title === title);
    const sum = table.rows.reduce((total, cells) => total + (cells[column]?.value ?? 0), 0);
    return column < 0 ? [] : [[reports[at]?.name ?? '', table.rows.length, sum] as [string, number, number]];
  });
}

describe.skipIf(!hasSeeds)('openTrace(text)', () => {
  it('reads both key_averages of a log with their footers and sizes in units of 1024', async () => {
    const tables = await tablesOf('000');
    expect(sums(tables, '# of Calls')).toEqual([
      ['key_averages#1', 25, 297_130],
      ['key_averages#2', 25, 85_498],
    ]);
    expect(tables.map(({title}) => title)).toEqual(['CPU time total (thread 1)', 'CUDA time total (thread 1)']);
    const footer = [
      {label: 'Self CPU time total', ns: 24.129e9},
      {label: 'Self CUDA time total', ns: 2.935e9},
    ];
    expect(tables.map(table => table.footer)).toEqual([footer, footer]);
    const first = tables[0]?.rows[0]?.map(({text, value}) => value ?? text);
    expect(first?.slice(0, 6)).toEqual(['eval_lm', 28.68, 6.92e9, 99.41, 23.986e9, 23.986e9]);
    expect(first?.slice(10)).toEqual(
      [-192.1 * 1024, -192.16 * 1024, 11.03 * 2 ** 20, -3.07 * 2 ** 30, 1].map(Math.round),
    );
  });

  it('reads Markdown of key_averages and kernels, and keeps five rows of one cut name apart', async () => {
    const tables = await tablesOf('001');
    expect(sums(tables, '# of Calls')).toEqual([
      ['key_averages#1', 25, 5350],
      ['key_averages#2', 25, 28_004],
    ]);
    expect(sums(tables, 'Total Time')).toEqual([
      ['cuda_gpu_kern_sum', 7, 127_331_000],
      ['cuda_gpu_kern_gb_sum', 6, 223_071_000],
    ]);
    expect(sums(tables, 'Instances').map(([, , sum]) => sum)).toEqual([1047, 503]);
    expect(sums(tables, 'Duration')).toEqual([['nsys_events', 5, 712_674]]);
    const names = tables.find(({report}) => report === 'key_averages')?.rows.map(([name]) => name?.text ?? '') ?? [];
    expect(names.filter(name => name === 'elementwise_kernel<128, 2, ...>')).toHaveLength(5);
    expect(names.filter(isCutName)).toHaveLength(9);
    const grids = tables.find(({report}) => report === 'cuda_gpu_kern_gb_sum')?.rows[0]?.slice(-3);
    expect(grids?.map(({text}) => text)).toEqual(['160 40 1', '128 1 1', 'ampere_sgemm_32x32_sliced1x4_nt']);
  });

  it('reads every row of three runs of six reports, with sums exact', async () => {
    const tables = await tablesOf('003');
    const rows = tables.map(({run, report, rows: {length}}) => `${run} ${report} ${String(length)}`);
    const run = (name: string, ...lengths: number[]) =>
      [
        'nvtx_sum',
        'osrt_sum',
        'cuda_api_sum',
        'cuda_gpu_kern_sum',
        'cuda_gpu_mem_time_sum',
        'cuda_gpu_mem_size_sum',
      ].map((report, at) => `2.7B_ctx512_${name} ${report} ${String(lengths[at])}`);
    expect(rows).toEqual([
      ...run('forward', 49, 28, 21, 24, 1, 1),
      ...run('backward', 51, 31, 25, 49, 3, 3),
      ...run('train', 52, 31, 25, 56, 3, 3),
    ]);
    const totals = sums(tables, 'Total Time');
    expect(totals[0]).toEqual(['nvtx_sum@2.7B_ctx512_forward', 49, 12_792_878_953]);
    expect(totals[3]).toEqual(['cuda_gpu_kern_sum@2.7B_ctx512_forward', 24, 3_408_519_665]);
    expect(sums(tables, 'Instances').find(([name]) => name === 'cuda_gpu_kern_sum@2.7B_ctx512_forward')?.[2]).toBe(
      7329,
    );
    const unread = tables.flatMap(({columns, rows: cells}) =>
      cells.flat().filter(({value}, at) => columns[at % columns.length]?.isText === false && value === null),
    );
    expect(unread).toEqual([]);
  });

  it('takes the bare colon of the default domain off names of ranges', async () => {
    const names = (await tablesOf('003'))[0]?.rows.map(cells => cells.at(-1)?.text);
    expect(names?.slice(0, 3)).toEqual(['warmup', 'attention_sublayer', 'layer_0']);
  });

  it('tells what was read, and how many names were cut', async () => {
    const {notes, meta} = await openTrace(seedPath('003'));
    expect(meta).toMatchObject({format: 'text', profiler: 'nsys stats'});
    expect(notes.map(({code}) => code)).toEqual(['text/printed', 'text/cut-names']);
  });
});

describe.skipIf(!hasSeeds)('benchmarkRuns(tables)', () => {
  it('has the sizes of an HTML table, with what is no figure to the letter', async () => {
    const runs = benchmarkRuns(await tablesOf('001'));
    const [sizes] = runs;
    expect(sizes?.results).toHaveLength(30);
    expect(sizes?.results[0]).toEqual({
      parameters: {
        Size: 'small',
        d_model: '768',
        d_ff: '3072',
        num_layers: '12',
        num_heads: '12',
        num_params: '120.9M',
      },
      measure: 'CPU forward_time',
      unit: 'ns',
      value: 250_700_000,
      deviation: null,
      text: '250.7ms',
    });
    expect(sizes?.results.filter(({value}) => value === null).map(({text}) => text)).toEqual([
      '',
      '1069.6msa',
      'TBD',
      'TBD',
    ]);
  });

  it('has the precision table under both rows of headers, without bold and with failures as they are', async () => {
    const runs = benchmarkRuns(await tablesOf('001'));
    const precision = runs.at(-1)?.results ?? [];
    expect(precision).toHaveLength(16 * 8);
    const ofMeasure = (measure: string) => precision.filter(result => result.measure === measure);
    expect(ofMeasure('Forward Time bfloat16').at(-2)).toMatchObject({
      parameters: {'Model Size': 'XL', 'Context Length': '512'},
      value: 133_500_000,
    });
    expect(ofMeasure('Forward + Backward Time % Change')[2]).toMatchObject({value: -35.3, text: '-35.3% ✅'});
    const failed = ['❌ Failed', '❌ Failed', 'N/A', 'N/A'];
    expect(precision.filter(({value}) => value === null).map(({text}) => text)).toEqual([...failed, ...failed]);
  });

  it('has the samples of arrays with and without warm-up', async () => {
    const runs = benchmarkRuns(await tablesOf('001')).slice(1, 3);
    expect(runs.map(({name, results}) => [name, results.length])).toEqual([
      ['with warmup', 20],
      ['without warmup', 20],
    ]);
    expect(runs[1]?.results[0]).toMatchObject({parameters: {Sample: '1'}, measure: 'forward', value: 1763.26469705});
  });

  it('has rows of mean ± std, and pairs of mean and std, in ns', async () => {
    const runs = benchmarkRuns(await tablesOf('004'));
    expect(runs.map(({name, results}) => [name, results.length])).toEqual([
      ['benchmarking_script', 4],
      ['No warmup', 4],
      ['1 warmup', 4],
      ['Benchmark Summary', 24],
      ['Benchmark Summary', 24],
    ]);
    expect(runs[3]?.results[0]).toMatchObject({measure: 'Fwd Pass', value: 33_290_000, deviation: 710_000});
    expect(runs[1]?.results.map(({measure, value}) => [measure, value])).toEqual([
      ['Mean', 58_308_531.7],
      ['StdDev', 114_871_214.96467516],
      ['Mean', 33_161_000.3],
      ['StdDev', 32_427_180.67524797],
    ]);
  });
});
