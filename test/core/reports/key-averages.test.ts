import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {foldRecursion, nestSlices} from '../../../src/core/figures/cpu-tree.js';
import {parseReportRequest} from '../../../src/core/reports/reports.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {reportOfFile, reportOfTrace} from '../../support/make-report.js';
import {project, temporaryFolder} from '../../support/project.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {torchTime} from '../../../src/core/reports/key-averages-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';

const fixtures = join(project, 'test', 'fixtures', 'key-averages');

/** The lines of a table, each as its cells. */
function tableCells(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s{2,}/));
}

/** Cells that are the same text, or numbers of the same unit that differ by one in their last digit. */
function sameButForHalves(ours: string, theirs: string): boolean {
  const [a, b] = [ours, theirs].map(cell => /^(-?)(\d+)\.(\d+)(us|ms|s|%)$/.exec(cell));
  if (ours === theirs || !a || !b) return ours === theirs;
  const whole = (match: RegExpExecArray) => Number(`${match[2] ?? ''}${match[3] ?? ''}`);
  return a[1] === b[1] && a[4] === b[4] && Math.abs(whole(a) - whole(b)) <= 1;
}

/** A table that torch printed. */
function printedTable(name: string): string {
  const bytes = readFileSync(join(fixtures, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** A table's lines as cells, by the dashes of its first line: cells may be empty, and hold blanks. */
function tableOf(text: string): {titles: string[]; rows: string[][]} {
  const [rule = '', head = '', , ...lines] = text.split('\n');
  const places = [...rule.matchAll(/-+/g)].map(({index, 0: {length}}) => [index, index + length] as const);
  const cellsOf = (line: string) => places.map(([from, to]) => line.slice(from, to).trim());
  return {titles: cellsOf(head), rows: lines.slice(0, lines.indexOf(rule)).map(cellsOf)};
}

describe('key_averages', () => {
  it.each([
    ['operators', 'key_averages', 'operators.txt'],
    ['operators', 'key_averages:self_cpu_time_total', 'operators.sorted.txt'],
    ['memory', 'key_averages', 'memory.txt'],
    ['memory', 'key_averages:self_cpu_time_total', 'memory.sorted.txt'],
    ['shapes', 'key_averages:group_by_input_shape', 'shapes.txt.gz'],
  ])('of %s, as %s, is the table that torch 2.13 printed for the run', async (profile, name, table) => {
    const report = await reportOfFile(join(fixtures, `${profile}.pt.trace.json.gz`), name);
    const text = [...reportsText([report], 'table')].join('');
    const ours = tableCells(text);
    const theirs = tableCells(printedTable(table));
    expect(ours.length).toBe(theirs.length);
    let halves = 0;
    for (const [row, cells] of ours.entries()) {
      for (const [column, cell] of cells.entries()) {
        const printed = theirs[row]?.[column] ?? '';
        if (cell === printed) continue;
        // torch adds up doubles of µs: what is a half in its last digit may fall to either side.
        if (!sameButForHalves(cell, printed)) expect([row, cells]).toEqual([row, theirs[row]]);
        const exact = report.rows.cells(row - 3)[column];
        if (!cell.endsWith('%')) expect([cell, isHalf(Number(exact), cell)]).toEqual([cell, true]);
        halves++;
      }
      expect(cells.length).toBe(theirs[row]?.length);
    }
    // Letter by letter, blanks included, in all other lines.
    const lines = text.trimEnd().split('\n');
    const printed = printedTable(table).trimEnd().split('\n');
    expect(lines.filter((line, at) => line !== printed[at]).length).toBeLessThanOrEqual(halves);
  });

  it.each([
    ['stacks', 'key_averages:python', 'stacks.txt'],
    ['frames', 'key_averages:python:group_by_stack_n=3', 'frames.txt.gz'],
    ['shapes-and-frames', 'key_averages:python:group_by_input_shape:group_by_stack_n=2', 'shapes-and-frames.txt.gz'],
  ])('of %s, as %s, has the rows that torch 2.13 printed, but for time that it takes off twice', async (...of) => {
    const [profile, name, table] = of;
    const report = await reportOfFile(join(fixtures, `${profile}.pt.trace.json.gz`), name);
    const ours = tableOf([...reportsText([report], 'table')].join(''));
    const theirs = tableOf(printedTable(table));
    expect(ours.titles).toEqual(theirs.titles);
    expect(ours.rows.length).toBe(theirs.rows.length);
    const self = ours.titles.indexOf('Self CPU');
    let overlaps = 0;
    for (const [row, cells] of ours.rows.entries()) {
      const printed = theirs.rows[row] ?? [];
      for (const [column, cell] of cells.entries()) {
        const title = ours.titles[column] ?? '';
        // Shares are of the sum of all self times, which is another where torch's are too little.
        if (title.endsWith('%') || sameButForHalves(cell, printed[column] ?? '')) continue;
        expect([row, title, cell, printed]).toEqual([row, 'Self CPU', cell, printed]);
        expect(nsOf(cell)).toBeGreaterThan(nsOf(printed[self] ?? ''));
        overlaps++;
      }
      expect(cells[self]).not.toMatch(/^-/);
    }
    expect(overlaps).toBeGreaterThan(0);
    expect(overlaps).toBeLessThan(10);
    expect(theirs.rows.some(cells => cells[self]?.startsWith('-'))).toBe(true);
  });

  it('has no Python frames among the operators unless they are asked for, and their time is that of what is around', async () => {
    const path = join(fixtures, 'stacks.pt.trace.json.gz');
    const {rows} = await reportOfFile(path, 'key_averages');
    const cells = Array.from({length: rows.length}, (_, row) => rows.cells(row));
    expect(cells.filter(([name]) => /\.py\(\d+\)|<built-in|nn\.Module/.test(String(name)))).toEqual([]);
    const stepCells = cells.find(([name]) => name === 'step');
    expect(Number(stepCells?.[2])).toBeGreaterThan(0);
    const asked = await reportOfFile(path, 'key_averages:python');
    expect(asked.rows.length).toBeGreaterThan(2 * rows.length);
  });

  it('takes no number but a whole one from 1 for its frames', () => {
    for (const name of ['group_by_stack_n', 'group_by_stack_n=0', 'group_by_stack_n=x', 'group_by_input_shape=2']) {
      expect([name, parseReportRequest(`key_averages:${name}`)]).toEqual([name, null]);
    }
  });
});

/** Whether a time lies in the middle between two texts of three decimals in the unit of its text. */
function isHalf(ns: number, text: string): boolean {
  const [, unit = ''] = /(us|ms|s)$/.exec(text) ?? [];
  const thousandths = (1000 * ns) / ({us: 1e3, ms: 1e6, s: 1e9}[unit] ?? NaN);
  return Math.abs((thousandths % 1) - 0.5) < 1e-6;
}

/** `1.5ms` as ns. */
function nsOf(text: string): number {
  const [, number = '', unit = ''] = /^(-?[\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * ({us: 1e3, ms: 1e6, s: 1e9}[unit] ?? NaN);
}

describe('key_averages of small traces', () => {
  const rowsOf = (drawing: string) => {
    const {rows} = reportOfTrace({...traceFromText(drawing), counts: {...noCounts, cpuOps: 1}}, 'key_averages');
    return Array.from({length: rows.length}, (_, row) => {
      const [name, , self, , total, , , , , , , , , , count] = rows.cells(row);
      return [name, self, total, count];
    });
  };
  const noCounts = {
    kernels: 0,
    memcpys: 0,
    memsets: 0,
    apiCalls: 0,
    cpuOps: 0,
    ranges: 0,
    pythonFrames: 0,
    flows: 0,
  };

  it('takes the time of what is right inside from an operator’s own', () => {
    expect(
      rowsOf(`
        op a            ==========
        op b             ==
        op c               =
      `),
    ).toEqual([
      ['a', 7000, 10_000, 1],
      ['b', 2000, 2000, 1],
      ['c', 1000, 1000, 1],
    ]);
  });

  it('hangs an operator that outlives its neighbour on what is around both, and takes the time of both off once', () => {
    expect(
      rowsOf(`
        op p            ====================
        op a            ==========
        op b               =========
      `),
    ).toEqual([
      ['p', 8000, 20_000, 1],
      ['a', 10_000, 10_000, 1],
      ['b', 9000, 9000, 1],
    ]);
  });

  it('counts an operator once that does nothing but call itself', () => {
    const tree = nestSlices([Int32Array.of(0, 1, 2)], Float64Array.of(0, 1, 2), Float64Array.of(10, 8, 1));
    expect([...tree.parent]).toEqual([-1, 0, 1]);
    expect([...foldRecursion(tree, Int32Array.of(5, 5, 6))]).toEqual([0, 0, 2]);
    expect([...foldRecursion(tree, Int32Array.of(5, 5, 5))]).toEqual([0, 0, 0]);
  });

  it('keeps two of a name where the inner one has a sibling', () => {
    const tree = nestSlices([Int32Array.of(0, 1, 2)], Float64Array.of(0, 1, 5), Float64Array.of(10, 2, 1));
    expect([...foldRecursion(tree, Int32Array.of(5, 5, 6))]).toEqual([0, 1, 2]);
  });
});

describe('key_averages of GPU work', () => {
  const path = join(temporaryFolder(), 'trace.json');
  writeFileSync(
    path,
    kinetoText([
      kineto.range('step', 0, 100),
      kineto.op('aten::linear', 10, 60, {'External id': 1}),
      kineto.op('aten::mm', 20, 40, {'External id': 2}),
      kineto.call(9, 30, 5, {'External id': 2}),
      kineto.kernel(9, 40, 40, {'External id': 2}),
      // Its external id is a copy of the correlation id: the operator is the one around the call.
      kineto.call(10, 62, 5),
      kineto.kernel(10, 90, 10, {'External id': 10}),
      // A call outside operators is no part of a tree.
      kineto.call(11, 102, 8),
      {...kineto.range('step', 40, 60), cat: 'gpu_user_annotation', pid: 0, tid: 7},
    ]),
  );

  it('credits kernels to the operator that launched them, and shows what the GPU executed in rows of its own', async () => {
    const {rows} = await reportOfFile(path, 'key_averages');
    const found = Array.from({length: rows.length}, (_, row) => rows.cells(row));
    // Name, self CPU, CPU total, self CUDA, its share, CUDA total, calls.
    expect(found.map(cells => [cells[0], cells[2], cells[4], cells[6], cells[7], cells[8], cells[14]])).toEqual([
      ['step', 40_000, 100_000, 0, 0, 50_000, 1],
      ['aten::linear', 15_000, 60_000, 10_000, 20, 50_000, 1],
      ['aten::mm', 35_000, 40_000, 40_000, 80, 40_000, 1],
      ['cudaLaunchKernel', 18_000, 18_000, 0, 0, 0, 3],
      ['step', 0, 0, 60_000, 120, 60_000, 1],
      ['gemm', 0, 0, 50_000, 100, 50_000, 2],
    ]);
    expect(rows.footer).toEqual(['Self CPU time total: 108.000us', 'Self CUDA time total: 50.000us']);
  });
});

describe.skipIf(!hasData)('key_averages of a real trace', () => {
  it('has the calls and times of every operator in the TensorBoard plugin’s view', async () => {
    const {rows} = await reportOfFile(join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz'), 'key_averages');
    const cells = Array.from({length: rows.length}, (_, row) => rows.cells(row));
    const lines = readFileSync(join(dataFolder, 'kineto', 'expected', 'resnet50-v100-2021.tb-plugin.jsonl'), 'utf8');
    interface OperatorView {
      readonly data: readonly Readonly<Record<string, string | number>>[];
    }
    const {data} = JSON.parse(lines.split('\n')[2] ?? '') as OperatorView;
    expect(data.length).toBe(76);
    for (const operator of data) {
      const row = cells.find(([name, , , , cpuTotalNs]) => name === operator['name'] && Number(cpuTotalNs) > 0) ?? [];
      const [, , selfCpu, , cpuTotal, , selfDevice, , deviceTotal, , , , , , calls] = row.map(Number);
      const us = (ns: number | undefined) => (ns ?? NaN) / 1000;
      expect({name: row[0], calls, times: [us(selfCpu), us(cpuTotal), us(selfDevice), us(deviceTotal)]}).toEqual({
        name: operator['name'],
        calls: operator['calls'],
        times: ['host_self', 'host_total', 'device_self', 'device_total'].map(key => operator[`${key}_duration`]),
      });
    }
  });
});

it('key_averages marks its row of several steps as one that stands for several names', async () => {
  const path = join(temporaryFolder(), 'steps.json');
  const markedOf = async (steps: number) => {
    const ranges = Array.from({length: steps}, (_, at) => kineto.range(`ProfilerStep#${String(at)}`, 10 * at, 9));
    writeFileSync(path, kinetoText([...ranges, kineto.op('aten::mm', 1, 2), kineto.op('aten::mm', 4, 2)]));
    const {rows} = await reportOfFile(path, 'key_averages');
    return Array.from({length: rows.length}, (_, row) => [rows.cells(row)[0], rows.isFolded?.(row)]);
  };
  expect(await markedOf(2)).toEqual([
    ['ProfilerStep*', true],
    ['aten::mm', false],
  ]);
  expect(await markedOf(1)).toContainEqual(['ProfilerStep*', false]);
});

it('key_averages shows a failure to allocate without bytes, as PyTorch does', async () => {
  const path = join(temporaryFolder(), 'failure.json');
  const memory = (name: string, at: number, bytes: number) => ({
    ...{ph: 'i', cat: 'cpu_instant_event', name, pid: 1, tid: 1, ts: at, s: 't'},
    args: {'Device Type': 1, 'Device Id': 0, Bytes: bytes, 'Total Allocated': 0, 'Total Reserved': 0},
  });
  writeFileSync(
    path,
    kinetoText([
      kineto.op('aten::empty', 10, 60),
      memory('[memory]', 20, 512),
      memory('[OutOfMemory]', 90, 4_294_967_296 * 2 ** 30),
    ]),
  );
  const report = await reportOfFile(path, 'key_averages');
  const rows = Array.from({length: report.rows.length}, (_, row) => report.rows.cells(row));
  const at = report.columns.findIndex(({title}) => title === 'CUDA Mem');
  expect(rows.map(cells => [cells[0], cells[at], cells[at + 1]])).toEqual([
    ['aten::empty', 512, 512],
    ['[OutOfMemory]', 0, 0],
  ]);
  expect([...reportsText([report], 'table')].join('')).toMatch(/\[OutOfMemory\].* 0 B +0 B/);
});

it('key_averages writes halves as PyTorch does, with the even digit', () => {
  expect([62.5, 187.5, 2_062_500, 1_000_062_500_000].map(torchTime)).toEqual([
    '0.062us',
    '0.188us',
    '2.062ms',
    '1000.062s',
  ]);
});
