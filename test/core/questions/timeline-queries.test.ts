import {describe, expect, it} from 'vitest';
import {activity} from '../../../src/core/questions/activity.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {matchingNames, searchSlices, textTest, type SearchStep} from '../../../src/core/questions/search-slices.js';
import {searchGroups} from '../../../src/core/questions/search-groups.js';
import {sliceContext} from '../../../src/core/questions/slice-context.js';
import {sliceLinks} from '../../../src/core/questions/slice-links.js';
import {sliceNeighbour, sliceOnLane} from '../../../src/core/questions/slice-neighbours.js';
import {windowSummary} from '../../../src/core/questions/window-summary.js';
import {parsePythonFrame} from '../../../src/core/source/python-frame.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {namesThatFit} from '../../../src/engine/names-that-fit.js';
import {describeEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {randomTrace} from '../../support/random-trace.js';
import {seededRandom} from '../../support/random.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range outer     ========
  op aten::mm      ===
  call              A   B
  stream 7           AAA  BB.b
  stream 9          c
`);

/** The row of the slice with a name; of several the one at a place. */
function rowOf(of: Trace, name: string, place = 0): number {
  const rows = Array.from(of.slices.name.keys()).filter(row => of.strings.get(of.slices.name[row] ?? 0) === name);
  return rows[place] ?? -1;
}

describe('sliceLinks(trace, slice)', () => {
  const linksOf = (slice: number) => sliceLinks(trace, slice).map(({kind, from, to}) => [kind, from.name, to.name]);

  it('joins a call and what it launched, from either end', () => {
    expect(linksOf(rowOf(trace, 'cudaLaunchKernel'))).toEqual([['launch', 'cudaLaunchKernel', 'kernel_A']]);
    expect(linksOf(rowOf(trace, 'kernel_B'))).toEqual([['launch', 'cudaLaunchKernel', 'kernel_B']]);
  });

  it('is empty where no flow begins or ends, and for rows that do not exist', () => {
    expect(linksOf(rowOf(trace, 'kernel_b'))).toEqual([]);
    expect(linksOf(rowOf(trace, 'outer'))).toEqual([]);
    expect(linksOf(-1)).toEqual([]);
    expect(linksOf(1e9)).toEqual([]);
  });
});

it('sliceNeighbour(trace, slice, direction) gives the slices beside it on its lane, null at the ends', () => {
  const next = (name: string, direction: -1 | 1) => sliceNeighbour(trace, rowOf(trace, name), direction)?.name ?? null;
  expect(next('kernel_A', 1)).toBe('kernel_B');
  expect(next('kernel_B', -1)).toBe('kernel_A');
  expect(next('kernel_A', -1)).toBeNull();
  expect(next('kernel_b', 1)).toBeNull();
  expect(sliceNeighbour(trace, -1, 1)).toBeNull();
});

it('sliceOnLane(trace, place, direction) is the next slice of a lane from a time on, or the last before it', () => {
  const track = trace.slices.track[rowOf(trace, 'kernel_A')] ?? -1;
  const at = (atNs: number, direction: -1 | 1) => sliceOnLane(trace, {track, lane: 0, atNs}, direction)?.name;
  expect([at(0, 1), at(3000, 1), at(3001, 1), at(9e9, 1)]).toEqual(['kernel_A', 'kernel_A', 'kernel_B', 'kernel_b']);
  expect([at(9e9, -1), at(7500, -1), at(0, -1)]).toEqual(['kernel_b', 'kernel_A', 'kernel_A']);
  // Ranges on the GPU stand behind the tracks of the trace; what is found is the range on its thread.
  const projected = sliceOnLane(trace, {track: trace.tracks.length, lane: 0, atNs: 0}, 1);
  expect(projected?.slice).toBe(rowOf(trace, 'outer'));
  for (const place of [
    {track: 99, lane: 0},
    {track, lane: 7},
    {track: -1, lane: 0},
    {track, lane: 0.5},
  ])
    expect(sliceOnLane(trace, {...place, atNs: 0}, 1)).toBeNull();
});

describe('sliceContext(trace, slice)', () => {
  it('credits an operation to its range, or says which bucket has it', () => {
    expect(sliceContext(trace, rowOf(trace, 'kernel_A'))).toMatchObject({
      selfNs: null,
      range: {name: 'outer'},
      operator: {name: 'aten::mm'},
      bucket: null,
      isBackward: false,
      sameName: {count: 1, totalNs: 3000},
    });
    expect(sliceContext(trace, rowOf(trace, 'kernel_b'))).toMatchObject({range: null, bucket: '(no launch call)'});
  });

  it('has the self time of what nests on a thread', () => {
    expect(sliceContext(trace, rowOf(trace, 'outer'))?.selfNs).toBe(4000);
    expect(sliceContext(trace, rowOf(trace, 'aten::mm'))).toMatchObject({selfNs: 2000, range: {name: 'outer'}});
    expect(sliceContext(trace, -1)).toBeNull();
  });
});

describe('searchSlices(trace, fits, step)', () => {
  const fits = (text: string) => matchingNames(trace.strings, textTest({text, isRegex: false}));
  const found = (text: string, step: Partial<SearchStep>) => {
    const {count, position, hit} = searchSlices(trace, fits(text), {after: -1, fromNs: 0, direction: 1, ...step});
    return [count, position, hit?.name ?? null];
  };

  it('goes through the hits in order of time, and begins again behind the last', () => {
    expect(found('KERNEL_', {})).toEqual([4, 1, 'kernel_c']);
    expect(found('kernel_', {after: rowOf(trace, 'kernel_c')})).toEqual([4, 2, 'kernel_A']);
    expect(found('kernel_', {after: rowOf(trace, 'kernel_b')})).toEqual([4, 1, 'kernel_c']);
    expect(found('kernel_', {after: rowOf(trace, 'kernel_c'), direction: -1})).toEqual([4, 4, 'kernel_b']);
    expect(found('kernel_', {fromNs: 5000})).toEqual([4, 3, 'kernel_B']);
  });

  it('stays at the slice that it comes from where asked to, so long as that fits', () => {
    const step = {after: rowOf(trace, 'kernel_A'), mayStay: true};
    expect(found('kern', step)).toEqual([6, 3, 'kernel_A']);
    expect(found('kernel_A', step)).toEqual([1, 1, 'kernel_A']);
    expect(found('kernel_c', step)).toEqual([1, 1, 'kernel_c']);
  });

  it('looks at the GPU alone, or at everything else, where it is asked to', () => {
    expect(found('e', {in: 'gpu'})).toEqual([4, 1, 'kernel_c']);
    expect(found('e', {in: 'elsewhere', after: rowOf(trace, 'kernel_A')})).toEqual([4, 4, 'cudaLaunchKernel']);
    expect(found('aten', {in: 'gpu'})).toEqual([0, 0, null]);
  });

  it('finds nothing for a text that no name has, and for none', () => {
    expect(found('nothing', {})).toEqual([0, 0, null]);
    expect(found('', {})).toEqual([0, 0, null]);
  });

  it('is what a plain search finds, on random traces with slices that start together', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 200; round++) {
      const drawn = randomTrace(round);
      const {slices, strings, spanNs} = drawn;
      const text = ['range_1', 'range_', 'aten', 'e', 'none'][round % 5] ?? '';
      const after = random() < 0.5 ? -1 : Math.floor(random() * slices.length);
      const fromNs = Math.floor((random() * spanNs) / 50) * 50;
      const direction = random() < 0.5 ? 1 : -1;
      const mayStay = random() < 0.5;
      const all = Array.from(slices.name.keys())
        .filter(row => strings.get(slices.name[row] ?? 0).includes(text))
        .sort((a, b) => (slices.startNs[a] ?? 0) - (slices.startNs[b] ?? 0) || a - b);
      const isAhead = (row: number) => {
        const [ns, begin] = [slices.startNs[row] ?? 0, after < 0 ? fromNs : (slices.startNs[after] ?? 0)];
        if (after < 0) return direction > 0 ? ns >= begin : ns <= begin;
        return (mayStay && row === after) || direction * (ns - begin || row - after) > 0;
      };
      const inTurn = direction > 0 ? all : all.toReversed();
      const row = inTurn.find(isAhead) ?? inTurn[0];
      const names = matchingNames(strings, textTest({text, isRegex: false}));
      const {count, position, hit} = searchSlices(drawn, names, {after, fromNs, direction, mayStay});
      expect([count, position, hit?.slice]).toEqual([all.length, row === undefined ? 0 : all.indexOf(row) + 1, row]);
    }
  });
});

describe('searchGroups(trace, fits)', () => {
  const groupsOf = (of: Trace, text: string) =>
    searchGroups(of, matchingNames(of.strings, textTest({text, isRegex: false})));

  it('has names with counts and total times, those on the GPU first, the longest first', () => {
    const {groups, omitted, gpuCount, elsewhereCount} = groupsOf(trace, 'e');
    expect(groups.map(({name, in: place, count, totalNs}) => [name, place, count, totalNs])).toEqual([
      ['kernel_A', 'gpu', 1, 3000],
      ['kernel_B', 'gpu', 1, 2000],
      ['kernel_b', 'gpu', 1, 1000],
      ['kernel_c', 'gpu', 1, 1000],
      ['outer', 'elsewhere', 1, 8000],
      ['aten::mm', 'elsewhere', 1, 3000],
      ['cudaLaunchKernel', 'elsewhere', 2, 2000],
    ]);
    expect([omitted, gpuCount, elsewhereCount]).toEqual([0, 4, 4]);
    expect(groupsOf(trace, 'nothing')).toEqual({groups: [], omitted: 0, gpuCount: 0, elsewhereCount: 0});
  });

  it('is what a plain recount finds, on random traces, and counts what the search counts', () => {
    for (let round = 0; round < 50; round++) {
      const drawn = randomTrace(round);
      const {slices, strings, tracks} = drawn;
      const expected = new Map<string, [number, number]>();
      for (let row = 0; row < slices.length; row++) {
        const name = strings.get(slices.name[row] ?? 0);
        const isGpu = tracks[slices.track[row] ?? 0]?.kind === 'stream';
        const key = `${isGpu ? 'gpu' : 'elsewhere'} ${name}`;
        const [count, totalNs] = expected.get(key) ?? [0, 0];
        if (name.includes('e')) expected.set(key, [count + 1, totalNs + (slices.durationNs[row] ?? 0)]);
      }
      const {groups, omitted, gpuCount} = groupsOf(drawn, 'e');
      expect(omitted).toBe(Math.max(0, expected.size - 200));
      for (const {name, in: place, count, totalNs} of groups)
        expect([count, totalNs]).toEqual(expected.get(`${place} ${name}`));
      const fits = matchingNames(strings, textTest({text: 'e', isRegex: false}));
      expect(searchSlices(drawn, fits, {after: -1, fromNs: 0, direction: 1, in: 'gpu'}).count).toBe(gpuCount);
    }
  });
});

describe('namesThatFit(trace, query)', () => {
  it('knows a whole name as it is shown, too: without return type and ABI version', () => {
    const fits = textTest({text: 'at::native::softmax<float>(int)', isRegex: false, isWhole: true});
    expect(['void at::native::softmax<float>(int)', 'at::native::softmax<float>(int)', 'void x'].map(fits)).toEqual([
      ...[true, true, false],
    ]);
  });

  it('takes regular expressions, and whole names to the letter', () => {
    const count = (text: string, query: {isRegex: boolean; isWhole?: boolean}) =>
      namesThatFit(trace, {text, ...query}).reduce((sum, fits) => sum + fits, 0);
    expect(count('^kernel_[ab]$', {isRegex: true})).toBe(3);
    expect(count('kernel_a', {isRegex: false, isWhole: true})).toBe(0);
    expect(count('kernel_A', {isRegex: false, isWhole: true})).toBe(1);
    expect(count('', {isRegex: true})).toBe(0);
  });

  it('refuses what is no regular expression, and stops one that would take for ever', () => {
    const evil = traceFromText(`range ${'a'.repeat(40)}!   =`);
    expect(() => namesThatFit(trace, {text: '(', isRegex: true})).toThrow('"(" is not a regular expression.');
    expect(() => namesThatFit(evil, {text: '^(a+)+$', isRegex: true})).toThrow('takes too long');
  });
});

describe('windowSummary(trace, selection)', () => {
  it('counts the parts inside the window, and tells busy from idle', () => {
    const {devices, operations, calls, ranges} = windowSummary(trace, {fromNs: 4000, toNs: 9000});
    expect(devices).toEqual([{device: 0, name: null, busyNs: 2000 + 1000, idleNs: 2000}]);
    expect(operations.map(({name, count, insideNs}) => [name, count, insideNs])).toEqual([
      ['kernel_A', 1, 2000],
      ['kernel_B', 1, 1000],
    ]);
    expect(calls).toMatchObject([{name: 'cudaLaunchKernel', count: 1, insideNs: 1000}]);
    expect(ranges.find(({name}) => name === 'outer')).toMatchObject({gpuWorkNs: 3000, cpuWallNs: 4000});
  });

  it('lists no more than 500 names, and sums them all', () => {
    const names = Array.from({length: 600}, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    const many = traceFromText(`stream 7        ${names}`);
    const {operations, omitted, allOperationsNs} = windowSummary(many, {fromNs: 0, toNs: many.spanNs + 1});
    expect([operations.length, omitted]).toEqual([500, 100]);
    expect(allOperationsNs).toBe(600_000);
  });

  it('narrows to a stream, and leaves the calls of threads out', () => {
    const {operations, calls} = windowSummary(trace, {fromNs: 0, toNs: 20_000, device: 0, stream: 9});
    expect(operations.map(({name}) => name)).toEqual(['kernel_c']);
    expect(calls).toEqual([]);
  });

  it('is empty for a window without anything in it', () => {
    expect(windowSummary(trace, {fromNs: 1e6, toNs: 2e6})).toMatchObject({operations: [], ranges: [], calls: []});
  });
});

describe('activity(trace, parts)', () => {
  it('has the busy part of each interval, by GPU', () => {
    const [gpu] = activity(trace, 14);
    expect(gpu?.label).toBe('GPU 0');
    expect(gpu?.busy).toHaveLength(14);
    const sum = (gpu?.busy ?? new Float32Array()).reduce((all, part) => all + part, 0);
    // c at 2 to 3, A at 3 to 6, B at 8 to 10, b at 11 to 12: seven columns of the trace's twelve.
    expect((sum * trace.spanNs) / 14).toBeCloseTo(7000, 0);
  });

  it('counts time once in which operations of several streams run', () => {
    const [gpu] = activity(traceFromText('stream 7        AAAA\nstream 9          BBBB'), 6);
    expect([...(gpu?.busy ?? [])]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('has the busiest thread where no GPU worked, and nothing for an empty trace', () => {
    const [thread] = activity(traceFromText('range outer     ====='), 5);
    expect(thread).toMatchObject({label: 'main', busy: Float32Array.of(1, 1, 1, 1, 1)});
  });
});

it('parsePythonFrame(name) reads path and line, and null from other names', () => {
  expect(parsePythonFrame('src/train.py(12): step')).toEqual({path: 'src/train.py', line: 12, name: 'step'});
  expect(parsePythonFrame('<built-in method mm>')).toBeNull();
  expect(parsePythonFrame('train_step')).toBeNull();
});

describeEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])('$name', ({path}) => {
  it('has the figures of gpu-lens ranges in any window, and those of gpu-lens stats where none is cut', async () => {
    const real = await openTrace(path);
    const random = seededRandom(5);
    for (let round = 0; round < 3; round++) {
      const fromNs = Math.floor(random() * real.spanNs);
      const toNs = fromNs + 1 + Math.floor(random() * (real.spanNs - fromNs));
      const summary = windowSummary(real, {fromNs, toNs});
      const rows = rangeRows(real, 'name', {selection: {fromNs, toNs}});
      const credited = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
      const worked = summary.operations.reduce((sum, row) => sum + row.insideNs, 0);
      if (summary.omitted === 0) expect(worked).toBe(credited);
      for (const {busyNs, idleNs} of summary.devices) expect(busyNs + idleNs).toBe(toNs - fromNs);
    }
    const request = parseReportRequest('cuda_gpu_kern_sum');
    if (!request) throw new Error('There is such a report.');
    const [report] = makeReports([request], {trace: real, details: noDetails, scope: wholeTrace});
    const times = Array.from({length: report?.rows.length ?? 0}, (_, row) => Number(report?.rows.cells(row)[1]));
    const whole = windowSummary(real, {fromNs: 0, toNs: real.spanNs + 1});
    const kernels = whole.operations.filter(({kind}) => kind === 'kernel');
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    if (whole.omitted === 0) expect(sum(kernels.map(({insideNs}) => insideNs))).toBe(sum(times));
  });
});
