import {describe, expect, it} from 'vitest';
import {plainLayout, timelineRows, type TimelineRow} from '../../src/core/layout/timeline-rows.js';
import {visibleTimeline} from '../../src/core/layout/visible-timeline.js';
import {sliceDetails} from '../../src/core/questions/slice-details.js';
import {sliceLinks} from '../../src/core/questions/slice-links.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import type {Step} from '../../src/core/scope/steps.js';
import {windowSummary, type WindowSelection} from '../../src/core/questions/window-summary.js';
import {areaOver, areaOverRows, bandsOf} from '../../webview/timeline/area-place.js';
import {areaSelection, commandLineOptions} from '../../webview/timeline/area-selection.js';
import {areaNote, areaTables, busyText, tableText} from '../../webview/timeline/area-tables.js';
import {neutralColors} from '../../webview/shared/colors.js';
import {blockColors} from '../../webview/timeline/block-colors.js';
import {dragged, dragStart} from '../../webview/timeline/drag.js';
import {wheelZoom} from '../../webview/timeline/gestures.js';
import {drawTimeline} from '../../webview/timeline/draw-timeline.js';
import {counterLevel} from '../../webview/timeline/draw-points.js';
import {hitAt, snappedNs} from '../../webview/timeline/hit-test.js';
import {mergedSlicesText} from '../../webview/timeline/merged-text.js';
import {inView} from '../../webview/timeline/reader-table.js';
import {placeText, rowBeside, rowText, scrollToRow} from '../../webview/timeline/row-focus.js';
import {stepDrawnAt} from '../../webview/timeline/step-places.js';
import {windowAround, windowOfBoth} from '../../webview/timeline/window-around.js';
import {Selection} from '../../webview/timeline/selection.js';
import {sightOf} from '../../webview/timeline/slice-source.js';
import {
  emptyState,
  gutterOf,
  gutterPx,
  headerPx,
  highlightedAs,
  mostHighlighted,
  nextColoring,
  type TimelineState,
} from '../../webview/timeline/timeline-state.js';
import type {Theme} from '../../webview/shared/theme.js';
import {recordingContext} from '../support/recording-context.js';
import {traceFromText} from '../support/trace-from-text.js';

const trace = traceFromText(`
  range outer     ==========
  call             A   B
  stream 7          AAA  BB
  stream 9          c
`);
const plotPx = 1000;

function stateOf(change: Partial<TimelineState> = {}): TimelineState {
  const rows = timelineRows(timelineSummary(trace));
  const window = {fromNs: 0, toNs: 10_000};
  const answer = visibleTimeline(trace, {...window, widthPx: plotPx, ...sightOf(rows, 0, rows.heightPx)});
  const state = {...emptyState, spanNs: trace.spanNs, rows, window, answer, answerWidthPx: plotPx};
  return {...state, ...change};
}

function sliceNamed(name: string): number {
  return Array.from(trace.slices.name).findIndex(index => trace.strings.get(index) === name);
}

/** The height on the canvas of the middle of a row's first lane. */
function middleOf(state: TimelineState, label: string): number {
  const row = state.rows.rows.find(candidate => candidate.label === label);
  return headerPx(state) + (row?.topPx ?? NaN) + 10;
}

describe('hitAt(state, plot, x, y)', () => {
  const nameAt = (state: TimelineState, xPx: number, label: string) => {
    const hit = hitAt(state, plotPx, gutterPx + xPx, middleOf(state, label));
    const slices = state.answer?.slices;
    return hit && slices ? slices.names[slices.blocks.name[hit.row] ?? -1] : null;
  };

  it('finds the slice under the mouse, and a little beside a narrow one', () => {
    expect(nameAt(stateOf(), 250, 'Stream 7 · compute')).toBe('kernel_A');
    expect(nameAt(stateOf(), 502, 'Stream 7 · compute')).toBe('kernel_A');
    expect(nameAt(stateOf(), 600, 'Stream 7 · compute')).toBeNull();
  });

  it('finds it where it is drawn, while the window has moved on', () => {
    expect(nameAt(stateOf({window: {fromNs: 2000, toNs: 4000}}), 500, 'Stream 7 · compute')).toBe('kernel_A');
  });

  it('finds nothing in the header and in the gutter', () => {
    expect(hitAt(stateOf(), plotPx, gutterPx + 250, 5)).toBeNull();
    expect(hitAt(stateOf(), plotPx, 20, middleOf(stateOf(), 'Stream 7 · compute'))).toBeNull();
  });
});

describe('dragged(state, plot, kind, from, to)', () => {
  const state = stateOf();
  const yOf = (label: string) => middleOf(state, label);
  const startAt = (xPx: number, yPx: number) => dragStart(state, plotPx, {xPx, yPx});

  it('shows a part of the trace in the overview, measures on the ruler, marks an area below', () => {
    const kindAt = (xPx: number, yPx: number) => dragStart(state, plotPx, {xPx, yPx}).kind;
    expect(kindAt(gutterPx + 10, 5)).toBe('brush');
    expect(kindAt(gutterPx + 10, 30)).toBe('measure');
    expect(kindAt(gutterPx + 10, 100)).toBe('area');
    expect([kindAt(10, 100), kindAt(10, 30)]).toEqual(['row', 'none']);
    const {window} = dragged(state, plotPx, startAt(gutterPx + 600, 5), {xPx: gutterPx + 200, yPx: 5});
    expect(window?.fromNs).toBeCloseTo(trace.spanNs * 0.2, 3);
    expect(window?.toNs).toBeCloseTo(trace.spanNs * 0.6, 3);
  });

  it('snaps what is measured to the edges of slices', () => {
    expect(snappedNs(state, plotPx, gutterPx + 203)).toBeCloseTo(2000, 3);
    expect(snappedNs(state, plotPx, gutterPx + 350)).toBeCloseTo(3500, 3);
  });

  it('marks whole rows, and asks for the stream or GPU that they are of', () => {
    const area = (from: string, to: string) =>
      dragged(state, plotPx, startAt(gutterPx + 100, yOf(from)), {xPx: gutterPx + 400, yPx: yOf(to) + 1}).area ?? null;
    const selectionOf = (from: string, to: string) => {
      const marked = area(from, to);
      return marked && areaSelection(state.rows, marked);
    };
    expect(selectionOf('Stream 7 · compute', 'Stream 7 · compute')).toEqual({
      fromNs: 1000,
      toNs: 4000,
      device: 0,
      stream: 7,
    });
    expect(selectionOf('Stream 7 · compute', 'Stream 9 · compute')).toEqual({fromNs: 1000, toNs: 4000, device: 0});
    const whole = selectionOf('Stream 7 · compute', 'main · CUDA API');
    expect(whole).toEqual({fromNs: 1000, toNs: 4000});
    expect(commandLineOptions({fromNs: 1, toNs: 2, device: 0, stream: 7})).toBe(
      '--from 1 --to 2 --device 0 --stream 7',
    );
  });

  it('keeps what it began at while the wheel scrolls and zooms', () => {
    const [from, to] = ['Stream 7 · compute', 'Stream 9 · compute'].map(label => yOf(label));
    const label = (drop: TimelineState['drop'] | undefined) => drop?.row.label;
    const grabbed = startAt(20, from ?? NaN);
    const scrolled = {...state, scrollPx: 20};
    expect(label(dragged(state, plotPx, grabbed, {xPx: 20, yPx: (to ?? NaN) + 10}).drop)).toBe('Stream 7 · compute');
    expect(label(dragged(scrolled, plotPx, grabbed, {xPx: 20, yPx: (to ?? NaN) - 10}).drop)).toBe('Stream 7 · compute');
    const zoomed = {...state, window: {fromNs: 0, toNs: 5000}};
    const marked = dragged(zoomed, plotPx, startAt(gutterPx + 100, from ?? NaN), {
      xPx: gutterPx + 400,
      yPx: (from ?? NaN) + 1,
    });
    expect(marked.area).toMatchObject({fromNs: 1000, toNs: 2000});
  });
});

it('drawTimeline(context, state) draws an arrow for each flow of the selection, dashed for backward', () => {
  const {context, calls} = recordingContext();
  const state = stateOf({links: sliceLinks(trace, sliceNamed('kernel_A'))});
  drawTimeline(context, state, {widthPx: plotPx + gutterPx, heightPx: 400}, theme);
  const curves = calls.filter(({method}) => method === 'bezierCurveTo');
  expect(curves).toHaveLength(1);
  expect(curves[0]?.args[4]).toBeCloseTo(gutterPx + 200, 6);
});

it('counterLevel(value, low, high) measures from zero, and a flat counter at nothing fills half', () => {
  expect(counterLevel(50, 20, 100)).toBe(0.5);
  expect(counterLevel(-10, -10, 10)).toBe(0);
  expect(counterLevel(0, 0, 0)).toBe(0.5);
});

it('inView(state, most) lists the longest blocks of the window, in the order of the rows', () => {
  const state = stateOf();
  const names = inView(state, state.rows.heightPx, 3).map(({name, durationNs}) => [name, Math.round(durationNs)]);
  expect(names).toEqual([
    ['outer', 7000],
    ['kernel_A', 3000],
    ['outer', 10_000],
  ]);
  expect(inView(stateOf({answer: null}), 1000, 3)).toEqual([]);
});

it('inView(state, px, most) is of the rows in sight, and says which slice is selected', () => {
  const rows = timelineRows(timelineSummary(trace)).rows;
  const row = rows.find(({label}) => label === 'Stream 7 · compute');
  const read = inView(stateOf({scrollPx: row?.topPx ?? NaN, selectedSlice: sliceNamed('kernel_A')}), 20, 9);
  expect(read.map(({name, isSelected}) => [name, isSelected])).toEqual([
    ['kernel_A', true],
    ['kernel_B', false],
  ]);
});

it('wheelZoom(px) follows the fingers of a pinch, and zooms by a fifth for a notch either way', () => {
  // A pinch to twice the size, in parts of a pixel and less.
  const parts = Array.from({length: 40}, () => (-100 * Math.log(2)) / 40);
  expect(parts.reduce((scale, px) => scale * wheelZoom(px), 1)).toBeCloseTo(0.5, 9);
  expect([wheelZoom(-100), wheelZoom(100), wheelZoom(-3000)].map(factor => factor.toFixed(2))).toEqual([
    '0.82',
    '1.22',
    '0.82',
  ]);
  expect(wheelZoom(0)).toBe(1);
});

describe('rows that keys choose', () => {
  const state = stateOf();
  const keys = state.rows.rows.map(({key}) => key);

  it('go up and down over headings and tracks, and stop at the ends', () => {
    expect(rowBeside(state.rows, 'none', 1)?.key).toBe(keys[0]);
    expect(rowBeside(state.rows, 'none', -1)?.key).toBe(keys.at(-1));
    keys.forEach((key, at) => {
      expect(rowBeside(state.rows, key, 1)?.key).toBe(keys[Math.min(at + 1, keys.length - 1)]);
    });
    expect(rowBeside({rows: [], heightPx: 0}, '', 1)).toBeNull();
  });

  it('say whether they are folded', () => {
    const [group] = state.rows.rows;
    expect(group && [rowText(group), rowText({...group, isFolded: true} as never)]).toEqual([
      group?.label,
      `${group?.label ?? ''}, folded`,
    ]);
  });

  it('say their place where they were moved', () => {
    const [group, row] = state.rows.rows;
    const groups = state.rows.rows.filter(({kind}) => kind === 'group').length;
    expect(group && placeText(state.rows, group)).toBe(`${group?.label ?? ''}, place 1 of ${String(groups)}`);
    expect(row && placeText(state.rows, row)).toMatch(/, place 1 of \d$/);
  });

  it('come into sight', () => {
    const row = {topPx: 100, heightPx: 20} as never;
    expect([scrollToRow(row, 150, 80), scrollToRow(row, 90, 80), scrollToRow(row, 0, 80)]).toEqual([100, 90, 40]);
  });

  it('narrow the area that a key marks', () => {
    const gpu = state.rows.rows.find(row => row.kind === 'track' && row.track.stream === 9) ?? null;
    const window = {fromNs: -5, toNs: 4000};
    expect(areaSelection(state.rows, areaOver(trace.spanNs, window, gpu))).toEqual({
      fromNs: 0,
      toNs: 4000,
      device: 0,
      stream: 9,
    });
    expect(areaSelection(state.rows, areaOver(trace.spanNs, window, null))).toEqual({fromNs: 0, toNs: 4000});
  });
});

it('Selection.chosen is the slice that was selected, before anything is known of it: a search goes on from there', () => {
  const nothing = () => undefined;
  const listener = {changed: nothing, linked: nothing, placed: nothing, slackRead: nothing, argumentsRead: nothing};
  const selection = new Selection({ask: () => new Promise(nothing)} as never, listener);
  void selection.selectSlice(3);
  expect([selection.chosen, selection.slice]).toEqual([3, null]);
  selection.clear();
  expect(selection.chosen).toBe(-1);
});

it('windowOfBoth(a, b, window, spanNs) holds both ends of a flow, and is null where the window does', () => {
  const [call, kernel] = [
    {startNs: 1000, durationNs: 10},
    {startNs: 9000, durationNs: 100},
  ];
  expect(windowOfBoth(call, kernel, {fromNs: 0, toNs: 10_000}, 1e6)).toBeNull();
  expect(windowOfBoth(kernel, call, {fromNs: 5000, toNs: 15_000}, 1e6)).toEqual({fromNs: 50, toNs: 10_050});
  expect(windowOfBoth(call, kernel, {fromNs: 8000, toNs: 9500}, 1e6)).toEqual({fromNs: 190, toNs: 9910});
});

it('windowAround(slice, window, spanNs) is where a slice can be seen, and null where it can already', () => {
  const window = {fromNs: 0, toNs: 1e6};
  expect(windowAround({startNs: 5e5, durationNs: 1e4}, window, 1e9)).toBeNull();
  expect(windowAround({startNs: 5e8, durationNs: 1e4}, window, 1e9)).toEqual({fromNs: 499_905_000, toNs: 500_105_000});
  expect(windowAround({startNs: 1e6, durationNs: 1e7}, window, 1e9)).toEqual({fromNs: 0, toNs: 12e6});
});

it('areaTables(summary) and tableText(table) have the figures, as people and as spreadsheets read them', () => {
  const [kernels, ranges, calls] = areaTables(windowSummary(trace, {fromNs: 0, toNs: 10_000}));
  expect(kernels?.rows[0]?.texts).toEqual(['kernel_A', '3.00 µs', '50.0 %', '1']);
  expect(ranges?.rows[0]?.texts[0]).toBe('outer');
  expect(calls?.rows[0]?.texts[0]).toBe('cudaLaunchKernel');
  expect(kernels && tableText(kernels).split('\n')[1]).toBe('kernel_A\t3000\t0.5\t1');
});

it('busyText(summary, selection) names the stream that an area lies over, and areaNote(summary) what tables lack', () => {
  const window = {fromNs: 0, toNs: 10_000};
  const text = (selection: WindowSelection) => busyText(windowSummary(trace, selection), selection);
  expect(text({...window, device: 0, stream: 7})).toBe('GPU 0, stream 7 busy 5.00 µs, idle 5.00 µs (50.0 %)');
  expect(text({...window, device: 0, stream: 9})).toMatch(/^GPU 0, stream 9 busy 1\.00 µs/);
  expect(text(window)).toMatch(/^GPU 0 busy 5\.00 µs/);
  const summary = {...windowSummary(trace, window), omitted: 12};
  const [kernels] = areaTables(summary);
  expect(areaNote(summary)).toBe('12 rows with less time are left out');
  expect(areaNote({...summary, omitted: 0})).toBe('');
  expect(kernels && tableText(kernels, areaNote(summary)).split('\n').slice(-2)).toEqual([areaNote(summary), '']);
});

it('gutterOf(width) leaves most of a narrow view to time', () => {
  expect([1400, 640, 400, 200].map(gutterOf)).toEqual([190, 190, 120, 72]);
});

it('stepDrawnAt(state, plot, x) is the step under a click, or a narrow one beside it', () => {
  const step = (number: number, startNs: number, endNs: number) => ({number, startNs, endNs}) as Step;
  const state = {gutterPx, window: {fromNs: 0, toNs: 1000}, steps: [step(1, 100, 300), step(2, 500, 501)]};
  const at = (ns: number) => stepDrawnAt(state, 1000, gutterPx + ns)?.number;
  expect([at(200), at(98), at(400), at(499), at(503)]).toEqual([1, 1, undefined, 2, 2]);
});

it('mergedSlicesText(slices, block) says how many slices are drawn as one, and how busy they are', () => {
  const {rows} = stateOf();
  // A pixel is 10 µs: both kernels lie in the first.
  const {slices} = visibleTimeline(trace, {fromNs: 0, toNs: 1e5, widthPx: 10, ...sightOf(rows, 0, rows.heightPx)});
  const stream = trace.tracks.findIndex(({name}) => name === 'Stream 7');
  expect(mergedSlicesText(slices, slices.blocks.track.indexOf(stream))).toEqual({
    title: '2 slices of several names',
    lines: ['50 % of this width busy', 'Zoom in to tell them apart'],
  });
});

it('highlightedAs(before, names) is the same list for the same names, and empty for none and too many', () => {
  const before = ['a', 'b'];
  expect(highlightedAs(before, ['a', 'b'])).toBe(before);
  expect(highlightedAs(before, ['b', 'a'])).toEqual(['b', 'a']);
  const names = Array.from({length: mostHighlighted + 1}, (_, at) => `batch ${String(at)}`);
  expect(highlightedAs(before, names.slice(1))).toHaveLength(mostHighlighted);
  expect(highlightedAs(before, names)).toBe(emptyState.highlighted);
  expect(highlightedAs(before, [])).toBe(emptyState.highlighted);
});

describe('an area', () => {
  const summary = timelineSummary(trace);
  const {rows} = stateOf();
  const rowCalled = (name: string, all = rows.rows) => all.find(({label}) => label === name) ?? null;
  const bandOf = (row: TimelineRow | null) => row && {topPx: row.topPx, bottomPx: row.topPx + row.heightPx};
  const nine = rowCalled('Stream 9 · compute');
  const area = areaOver(trace.spanNs, {fromNs: 1, toNs: 5}, nine);

  it('is restored over its rows, over all where the profile has none of them', () => {
    expect(areaOverRows(trace.spanNs, area, area.rows, rows)).toEqual(area);
    expect(areaOverRows(trace.spanNs, area, ['gone'], rows)).toEqual({...area, rows: []});
    expect(bandsOf(rows, {...area, rows: []})).toEqual([{topPx: 0, bottomPx: rows.heightPx}]);
  });

  it('stays over its rows where they are pinned, moved apart, filtered or folded away', () => {
    expect(bandsOf(rows, area)).toEqual([bandOf(nine)]);
    const pinned = timelineRows(summary, {...plainLayout, pinned: new Set(area.rows)});
    expect(bandsOf(pinned, area)).toEqual([bandOf(pinned.rows[1] ?? null)]);
    expect(bandsOf(pinned, area)).not.toEqual(bandsOf(rows, area));
    const seven = rowCalled('Stream 7 · compute');
    const both = {...area, rows: [...area.rows, seven?.key ?? '']};
    expect(bandsOf(rows, both)).toEqual([{topPx: seven?.topPx, bottomPx: bandOf(nine)?.bottomPx}]);
    expect(bandsOf(pinned, both)).toHaveLength(2);
    for (const hiding of [
      {filter: 'Stream 7'},
      {toggled: new Set([summary.tracks.find(({stream}) => stream === 9)?.group ?? ''])},
    ]) {
      expect(bandsOf(timelineRows(summary, {...plainLayout, ...hiding}), area)).toEqual([]);
    }
  });
});

it('Selection.restore(stored) selects what is still the same, and nothing else', async () => {
  const selected: string[] = [];
  const nothing = () => undefined;
  const changed = (slice: {name: string} | null) => selected.push(slice?.name ?? '');
  const ask = (method: string, {slice}: {slice: number}) =>
    Promise.resolve(method === 'slice/details' ? sliceDetails(trace, slice) : []);
  const selection = new Selection({ask} as never, {
    changed,
    linked: nothing,
    placed: nothing,
    slackRead: nothing,
    argumentsRead: nothing,
  });
  const row = sliceNamed('kernel_A');
  const {startNs: atNs = NaN} = sliceDetails(trace, row) ?? {};
  await selection.restore({kind: 'slice', row, name: 'kernel_A', atNs});
  await selection.restore({kind: 'slice', row, name: 'kernel_A', atNs: atNs + 1});
  await selection.restore({kind: 'slice', row, name: 'another', atNs});
  expect(selected).toEqual(['kernel_A', '', '']);
});

it('blockColors(kind, name, coloring, theme) tells classes of kernels apart, and names where that is asked for', () => {
  const gemm = blockColors('kernel', 'ampere_sgemm_128', 'class', theme);
  expect(gemm).not.toEqual(blockColors('kernel', 'softmax_warp_forward', 'class', theme));
  expect(blockColors('kernel', 'a', 'name', theme)).toEqual(blockColors('cpu_op', 'a', 'name', theme));
});

it('blockColors(…, group) are those of the range or rank alone, and of none where there is none', () => {
  const inForward = blockColors('kernel', 'gemm', 'range', theme, 'forward');
  expect(blockColors('gpu_memcpy', 'Memcpy', 'range', theme, 'forward')).toEqual(inForward);
  expect(blockColors('kernel', 'gemm', 'range', theme, 'optimizer')).not.toEqual(inForward);
  expect(blockColors('kernel', 'gemm', 'range', theme, null)).toEqual(neutralColors(theme));
});

it('nextColoring(coloring, processes) goes through all, ranks where there are several', () => {
  expect(nextColoring('class', 1)).toBe('name');
  expect(nextColoring('name', 1)).toBe('range');
  expect(nextColoring('range', 1)).toBe('class');
  expect(nextColoring('range', 2)).toBe('rank');
  expect(nextColoring('rank', 2)).toBe('class');
});

const theme: Theme = {
  isDark: true,
  isHighContrast: false,
  background: '#000',
  foreground: '#fff',
  muted: '#aaa',
  border: '#444',
  focus: '#00f',
  selection: '#ff0',
  path: '#f00',
  headerBackground: '#222',
  font: 'sans',
};
