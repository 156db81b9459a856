import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {rangeChoiceOf, type RangeStack} from '../../../src/core/attribution/range-stack.js';
import {shortenMiddle} from '../../../src/core/format/shorten-middle.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {launchSources} from '../../../src/core/questions/launch-sources.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {columnHeader, type Cell} from '../../../src/core/reports/report.js';
import {rangeKernelColumns} from '../../../src/core/tabs/range-kernels.js';
import {foldedNamesColumn, rangeTableColumns, stepColumns} from '../../../src/core/tabs/range-table.js';
import {flameOfRow} from '../../../src/core/tabs/row-flame.js';
import {rowPlace, sliceOfRow} from '../../../src/core/tabs/row-place.js';
import {filterRows, placedSort, reportOfRows, type RowFilter} from '../../../src/core/tabs/table-rows.js';
import {keptRows, readReport, tablePage} from '../../../src/core/tabs/table-page.js';
import {firstTab, tableChoices, tableReport, tableTabs} from '../../../src/core/tabs/table-tabs.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {itEachFile} from '../../support/each-file.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {modelTrace} from '../../support/model-trace.js';
import {project, temporaryFolder} from '../../support/project.js';
import {dataFiles} from '../../support/real-data.js';
import {hasSeeds, seedPath} from '../../support/seeds.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {withTimeLimit} from '../../../src/engine/time-limit.js';

const columns = [
  {title: 'Name', unit: 'none', isText: true, definition: ''},
  {title: 'Total Time', unit: 'ns', definition: '', addsUp: true},
  {title: 'Avg', unit: 'ns', decimals: 1, definition: ''},
] as const;
const cells: Cell[][] = [
  ['beta', 10, 5],
  ['alpha', null, 7],
  ['gamma', 30, 5],
  ['Alpha 2', 10, 1],
];
const all: RowFilter = {text: '', isRegex: false, sort: []};

describe('filterRows(cells, columns, filter)', () => {
  const names = (filter: Partial<RowFilter>) =>
    filterRows(cells, columns, {...all, ...filter}, withTimeLimit).rows.map(row => cells[row]?.[0]);

  it('keeps the order of the report without a sort', () => {
    expect(names({})).toEqual(['beta', 'alpha', 'gamma', 'Alpha 2']);
  });

  it('sorts by several columns, and puts what is absent last either way', () => {
    const byTime = (isDescending: boolean) => [
      {column: 1, isDescending},
      {column: 0, isDescending: false},
    ];
    expect(names({sort: byTime(true)})).toEqual(['gamma', 'Alpha 2', 'beta', 'alpha']);
    expect(names({sort: byTime(false)})).toEqual(['Alpha 2', 'beta', 'gamma', 'alpha']);
  });

  it('sorts by a column wherever it stands now, and by none that is gone', () => {
    const key = {column: 2, header: 'Total Time (ns)', isDescending: true};
    expect(placedSort([key], ['Name', 'Total Time (ns)', 'Avg'])).toEqual([{...key, column: 1}]);
    expect(placedSort([key, {column: 0, isDescending: false}], ['Name'])).toEqual([{column: 0, isDescending: false}]);
    // Two columns of one title.
    expect(placedSort([key], ['Total Time (ns)', 'Name', 'Total Time (ns)'])).toEqual([key]);
    expect(names({sort: [key]})).toEqual(names({sort: [{column: 1, isDescending: true}]}));
    expect(names({sort: [{...key, header: 'Names'}]})).toEqual(names({}));
  });

  it('finds text whatever the case, and regular expressions', () => {
    expect(names({text: 'ALPHA'})).toEqual(['alpha', 'Alpha 2']);
    expect(names({text: '^(beta|gamma)$', isRegex: true})).toEqual(['beta', 'gamma']);
  });

  it('refuses what is no expression, takes one that repeats, and stops one that would take for ever', () => {
    expect(() => names({text: '(', isRegex: true})).toThrow('"(" is not a regular expression.');
    expect(names({text: '^(al|pha|be|ta)+$', isRegex: true})).toEqual(['beta', 'alpha']);
    const evil = [[`${'a'.repeat(40)}!`, 1, 1]];
    const filter = {...all, text: '((a+))+$', isRegex: true};
    expect(() => filterRows(evil, columns, filter, withTimeLimit)).toThrow('takes too long');
  });

  it('sums what adds up over the rows that are kept, and has the largest of each column', () => {
    expect(filterRows(cells, columns, {...all, text: 'a'}, withTimeLimit)).toMatchObject({
      totals: [null, 50, null],
      maxima: [0, 30, 7],
    });
  });
});

describe('shortenMiddle(text, letters)', () => {
  it('keeps both ends', () => {
    expect(shortenMiddle('abcdefghij', 5)).toBe('ab…ij');
    expect(shortenMiddle('abcdefghij', 10)).toBe('abcdefghij');
    expect(shortenMiddle('abcdefghij', 2)).toBe('a…');
  });
});

describe('tableReport(trace, tab, selection, details)', () => {
  const trace = traceFromText(`
    range forward   ======
    call            A  BB
    range other           ====
    call                  C
    stream 7          A BB   C
  `);
  const rows = (tab: string, selection = {}) => {
    const {report, cells: own} = readReport(tableReport(trace, tab, selection, noDetails));
    return own.map(row => Object.fromEntries(report.columns.map((column, at) => [column.title, row[at]])));
  };

  it('has a table for each tab of a trace', () => {
    for (const {id} of tableTabs(trace)) expect(() => rows(id)).not.toThrow();
    expect(() => rows('none')).toThrow(RangeError);
    expect(() => rows('text/7')).toThrow(RangeError);
  });

  it('has the ranges of rangeRows, to the ns', () => {
    const expected = rangeRows(trace, 'name').filter(({count}) => count > 0);
    expect(rows('ranges').map(row => [row['Range'], row['GPU Work'], row['CPU Wall']])).toEqual(
      expected.map(({name, gpuWorkNs, cpuWallNs}) => [name, gpuWorkNs, cpuWallNs]),
    );
  });

  it('narrows kernels to a window and a device', () => {
    const count = (selection: object) =>
      rows('kernels', selection).reduce((sum, row) => sum + Number(row['Instances']), 0);
    expect(count({})).toBe(3);
    expect(count({toNs: 5000})).toBeLessThan(3);
    expect(count({device: 5})).toBe(0);
    const {threads} = tableChoices(trace);
    expect(threads.map(({track}) => count({track}))).toEqual([3]);
  });

  it('takes for ranges what is chosen, and says so in the title', () => {
    const layers = traceFromText(`
      range layer_0   =====
      range layer_1         ====
      range layer_norm          ==
      op aten::mm      ===   ===
      call             A     B
      stream 7          AA    BBB
    `);
    const table = (tab: string, stack: RangeStack, selection = {}) => {
      const {report, cells: own} = readReport(tableReport(layers, tab, selection, noDetails, {stack}));
      const at = (title: string) => report.columns.findIndex(column => column.title === title);
      const of = (...titles: string[]) => own.map(row => titles.map(title => row[at(title)]));
      return {title: report.title, of};
    };
    const operators = table('ranges', {kinds: ['cpu_op']});
    expect(operators.title).toBe('Ranges (operators)');
    expect(operators.of('Range', 'GPU Work', 'Count')).toEqual([['aten::mm', 5000, 2]]);
    const folded = table('ranges', {fold: {unfolded: [], layers: true}});
    expect(folded.title).toBe('Ranges (names folded)');
    expect(folded.of('Range', 'GPU Work', 'Names')).toEqual([
      ['layer_*', 5000, 2],
      ['layer_norm', 0, 1],
    ]);
    expect(table('nvtx', {fold: {unfolded: [], layers: true}}).of('Range', 'Instances')).toEqual([
      ['layer_*', 2],
      ['layer_norm', 1],
    ]);
    expect(table('kernels', {kinds: ['cpu_op']}, {range: 'aten::mm'}).of('Name', 'Instances')).toEqual([
      ['kernel_B', 1],
      ['kernel_A', 1],
    ]);
    expect(rowPlace(layers, 'range', 'aten::mm', {}, rangeChoiceOf({kinds: ['cpu_op']}))?.names).toEqual(['aten::mm']);
    expect(rowPlace(layers, 'range', 'layer_*')?.names).toEqual(['layer_0', 'layer_1']);
    expect(rowPlace(layers, 'range', 'layer_norm')?.names).toEqual(['layer_norm']);
    const [kinds, range] = [['cpu_op'] as const, 'aten::mm'];
    expect(table('steps', {kinds}, {range}).of('Step')).toEqual([]);
    const isA = sliceOfRow(layers, 'kernel', 'kernel_A');
    expect(launchSources(layers, isA, {range}, rangeChoiceOf({kinds})).map(({names}) => names)).toEqual([['layer_0']]);
    expect(tableChoices(layers).stack.kinds).toEqual(['user_annotation', 'cpu_op']);
  });

  it('has reports that only the command line had', () => {
    for (const tab of ['nvtx', 'gpu-timeline', 'launches']) expect(rows(tab).length).toBeGreaterThan(0);
    const ids = tableTabs(trace).map(({id}) => id);
    expect(ids).toEqual(expect.arrayContaining(['memory-held', 'collective-calls', 'gpu-timeline-steps']));
  });

  it('offers a thousand steps, and tells how many there are', () => {
    const steps = traceFromText(
      Array.from({length: 1002}, (_, at) => `${`range step_${String(at)}`.padEnd(20)}=`).join('\n'),
    );
    const {steps: offered, stepCount} = tableChoices(steps);
    expect([offered.length, stepCount]).toEqual([1000, 1002]);
  });

  it('refuses a range that there is not', () => {
    expect(() => rows('kernels', {range: 'none'})).toThrow('No range of this profile is "none".');
  });

  it('finds the place of a row', () => {
    const place = rowPlace(trace, 'range', 'forward');
    expect(place?.names).toEqual(['forward']);
    const kernelName = String(rows('kernels')[0]?.['Name']);
    expect(rowPlace(trace, 'kernel', kernelName)?.slice).toBeGreaterThanOrEqual(0);
    expect(rowPlace(trace, 'kernel', 'nothing')).toBeNull();
    expect(rowPlace(trace, 'plain', 'A')).toBeNull();
    const launched = (row: 'kernel' | 'operation') => launchSources(trace, sliceOfRow(trace, row, kernelName));
    expect(launched('kernel').map(({names}) => names)).toEqual([['forward']]);
    expect(launched('operation')).toEqual([]);
  });

  it('finds the place of a row in what the table is of', () => {
    const steps = traceFromText(`
      range step_1     =====
      range step_2           ======
      call             A     A
      stream 7          AA    AAAA
    `);
    const fromOf = (selection: object) => {
      const slice = rowPlace(steps, 'kernel', 'kernel_A', selection)?.slice ?? -1;
      return steps.slices.startNs[slice];
    };
    expect([fromOf({}), fromOf({step: 1}), fromOf({step: 2})]).toEqual([fromOf({step: 2}), 1000, fromOf({})]);
    expect(rowPlace(steps, 'range', 'step_2', {step: 1})).toBeNull();
  });
});

it('tablePage(read, kept, first, count) marks the rows that stand for several names', () => {
  const trace = traceFromText(`
    range layer_0   ==
    range layer_1      ==
    range layer_norm      ==
  `);
  const marked = (stack: RangeStack, tab = 'ranges') => {
    const read = readReport(tableReport(trace, tab, {}, noDetails, {stack}));
    return tablePage(read, keptRows(read, all, withTimeLimit), 0, 10).rows.map(row => [row.texts.at(-1), row.isFolded]);
  };
  expect(marked({fold: {unfolded: [], layers: true}})).toEqual([
    ['layer_*', true],
    ['layer_norm', false],
  ]);
  expect(marked({}).some(([, isFolded]) => isFolded)).toBe(false);
  expect(marked({fold: {unfolded: [], layers: true}}, 'nvtx')).toEqual([
    ['layer_*', true],
    ['layer_norm', false],
  ]);
  expect(marked({fold: {unfolded: ['layer_*'], layers: true}}, 'nvtx')).toEqual([
    ['layer_0', false],
    ['layer_1', false],
    ['layer_norm', false],
  ]);
  expect(marked({}, 'nvtx').some(([, isFolded]) => isFolded)).toBe(false);
});

describe('flameOfRow(row)', () => {
  const trace = traceFromText(`
    range layer_0   =====
    range layer_1         ====
    range layer_norm          ==
    op aten::mm      ===   ===
    call             A     B  C
    stream 7          AA    BBB C
  `);
  const totalOf = (name: string, stack: RangeStack, selection = {}) => {
    const {focus, ...of} = flameOfRow({kind: 'range', name, selection, stack});
    expect(focus).toBeNull();
    return flameGraph(trace, {weight: 'gpu-work', ...of}).total;
  };

  it('has the work of the ranges that the row is of, in what the table is narrowed to', () => {
    expect(totalOf('layer_0', {})).toBe(2000);
    expect(totalOf('layer_*', {fold: {unfolded: [], layers: true}})).toBe(5000);
    expect(totalOf('aten::mm', {kinds: ['cpu_op']})).toBe(5000);
    expect(totalOf('aten::mm', {kinds: ['cpu_op']}, {toNs: 5000, range: 'layer_0'})).toBe(2000);
  });

  it('tells the default domain from others, and looks for the callers of what is no range', () => {
    const row = {kind: 'range', name: 'a@b', selection: {}} as const;
    expect(flameOfRow({...row, stack: {domain: ''}}).selection.range).toBe('a\\@b@');
    expect(flameOfRow({...row, stack: {domain: 'x'}}).selection.range).toBe('a\\@b');
    const kernel = {kind: 'kernel', name: 'void gemm<float>(int)', selection: {step: 3}, stack: {}} as const;
    expect(flameOfRow(kernel)).toEqual({selection: {step: 3}, stack: {}, focus: 'gemm<float>(int)'});
    expect(flameOfRow({...kernel, kind: 'step'}).focus).toBeNull();
  });
});

describe('reportOfRows(report, rows)', async () => {
  const path = join(temporaryFolder(), 'model.json');
  writeFileSync(path, modelTrace(1, 2));
  const trace = await openTrace(path);
  const report = tableReport(trace, 'operators', {}, noDetails);
  const text = (rows: readonly number[]) => [...reportsText([reportOfRows(report, rows)], 'table')].join('');

  it('is laid out as the profiler does it, its footer with all rows alone', () => {
    const all = Array.from({length: report.rows.length}, (_, row) => row);
    expect(text(all)).toBe([...reportsText([report], 'table')].join(''));
    expect(text(all)).toMatch(/^-[^]*\nSelf CPU time total: .*\nSelf CUDA time total: .*\n\n$/);
    expect(text(all)).not.toContain('CPU Mem');
    expect(text([0])).not.toContain('time total');
  });

  it('knows which names were cut', () => {
    const rows = {length: 2, cells: () => ['x'], isCut: (row: number) => row === 1};
    const {isCut} = reportOfRows({...report, rows}, [1, 0]).rows;
    expect([isCut?.(0), isCut?.(1)]).toEqual([true, false]);
  });
});

describe('the kernels of a range', () => {
  it('are apart by forward and backward work', async () => {
    const path = join(temporaryFolder(), 'run.json');
    const thread = {'Fwd thread id': 1, 'Sequence number': 3};
    const text = kinetoText([
      kineto.range('forward', 0, 100),
      kineto.op('aten::mm', 10, 50, {'External id': 5, 'Sequence number': 3, 'Fwd thread id': 0}),
      kineto.call(1, 12, 5),
      kineto.kernel(1, 20, 30),
      kineto.op('autograd::engine::evaluate_function: MmBackward0', 200, 60, {'External id': 6, ...thread}, 200),
      kineto.op('MmBackward0', 205, 50, {'External id': 7, ...thread}, 200),
      {...kineto.call(2, 210, 5), tid: 200},
      kineto.kernel(2, 220, 70),
    ]);
    writeFileSync(path, text);
    const trace = await openTrace(path);
    const {cells: rows} = readReport(tableReport(trace, 'kernels', {range: 'forward'}, noDetails));
    expect(rows).toEqual([[100, 30_000, 1, 30_000, 70_000, 1, 'gemm']]);
    expect(tableChoices(trace).threads.length).toBeGreaterThanOrEqual(2);
  });
});

describe.skipIf(!hasSeeds)('tablePage(read, kept, first, count)', () => {
  it('has the rows of a text with bars, sums, and cut names marked', async () => {
    const trace = await openTrace(seedPath('003'));
    const tab = tableTabs(trace).find(({title}) => title === 'cuda_gpu_kern_sum@2.7B_ctx512_forward');
    const read = readReport(tableReport(trace, tab?.id ?? '', {}, noDetails));
    const page = tablePage(read, keptRows(read, all, withTimeLimit), 0, 10);
    expect(page).toMatchObject({rowCount: 24, keptCount: 24, firstRow: 0});
    expect(page.rows).toHaveLength(10);
    expect(page.totals.slice(0, 3)).toEqual(['', '3.41 s', '7,329']);
    expect(page.exactTotals.slice(0, 3)).toEqual(['', '3,408,519,665 ns', '']);
    expect(page.rows[0]?.bars[1]).toBe(1);
    expect(page.rows.slice(0, 3).map(({isCut}) => isCut)).toEqual([false, false, true]);
  });
});

describe('readReport(report, most)', () => {
  it('says how many rows are left out', () => {
    const trace = traceFromText(`
      range a         ====
      range b             ====
      call             A   B
      stream 7          AAA BBB
    `);
    const read = readReport(tableReport(trace, 'kernels', {}, noDetails), 1);
    const {rowCount, footer} = tablePage(read, keptRows(read, all, withTimeLimit), 0, 10);
    expect(rowCount).toBe(1);
    expect(footer.at(-1)).toMatch(/^the first 1 of 2 rows: select less/);
  });
});

describe('tableTabs(trace)', () => {
  const emptyOf = (trace: Trace) => tableTabs(trace).flatMap(({id, isEmpty}) => (isEmpty ? [id] : []));

  it('says which tables have no row, of a trace without GPU work and without steps', () => {
    const empty = emptyOf(traceFromText('op aten::mm       ==='));
    expect(empty).toEqual(expect.arrayContaining(['kernels', 'memory', 'steps', 'collectives', 'api', 'ranks']));
    expect(empty).not.toContain('operators');
    expect(emptyOf(traceFromText('stream 7          AAA'))).not.toContain('kernels');
  });

  itEachFile(dataFiles('kineto', '.json.gz'))('says so of no table that has rows: $name', async ({path}) => {
    const trace = await openTrace(path);
    for (const tab of emptyOf(trace)) {
      const {cells: rows} = readReport(tableReport(trace, tab, {}, noDetails), 10);
      expect([tab, rows.length]).toEqual([tab, 0]);
    }
  });
});

describe('firstTab(trace, tabs)', () => {
  const first = (text: string) => {
    const trace = traceFromText(text);
    return firstTab(trace, tableTabs(trace));
  };

  it('is ranges where a person named some, else kernels, else operators, else what has rows', () => {
    expect(first('range outer       ===\nstream 7          A')).toBe('ranges');
    expect(first('range ProfilerStep#1  ===\nstream 7              A')).toBe('kernels');
    expect(first('op aten::mm       ===')).toBe('operators');
  });
});

describe('docs/metrics.md', () => {
  const metrics = readFileSync(join(project, 'docs', 'metrics.md'), 'utf8').replace(/ +/g, ' ');
  it.each([
    ['ranges', [...rangeTableColumns, foldedNamesColumn]],
    ['kernels of a range', rangeKernelColumns],
    ['steps', stepColumns],
  ])('defines every column of the table of %s', (_, tableColumns) => {
    for (const column of tableColumns) expect(metrics).toContain(`| ${columnHeader(column)} | ${column.definition} |`);
  });
});
