import {describe, expect, it} from 'vitest';
import {timelineRows} from '../../src/core/layout/timeline-rows.js';
import {visibleTimeline, type VisibleTimeline} from '../../src/core/layout/visible-timeline.js';
import type {Step} from '../../src/core/scope/steps.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import {fittedText} from '../../webview/shared/label.js';
import {kindColors, nameColors} from '../../webview/shared/colors.js';
import type {Theme} from '../../webview/shared/theme.js';
import {barPx} from '../../webview/timeline/draw-blocks.js';
import {uncoveredParts} from '../../webview/timeline/draw-backdrop.js';
import {pathPx} from '../../webview/timeline/draw-path.js';
import {drawTimeline} from '../../webview/timeline/draw-timeline.js';
import {answerScale, emptyState, gutterPx, stepsPx, type TimelineState} from '../../webview/timeline/timeline-state.js';
import {allLanes} from '../support/all-lanes.js';
import {recordingContext} from '../support/recording-context.js';
import {traceFromText} from '../support/trace-from-text.js';
import type {Trace} from '../../src/core/trace/trace.js';

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

const trace = traceFromText(`
  stream 7          AAA       b
  range outer     ====================
  range inner       ====
  call             A
`);

function visible(of: Trace, fromNs: number, toNs: number, lit?: readonly string[]): VisibleTimeline {
  const tracks = [...of.tracks.keys()];
  const counters = [...of.counters.keys()];
  return visibleTimeline(of, {
    fromNs,
    toNs,
    widthPx: 1000,
    lanes: allLanes(tracks),
    instants: [-1, ...tracks],
    counters,
    ...(lit && {lit}),
  });
}

function timelineState(fromNs: number, toNs: number, change: Partial<TimelineState> = {}): TimelineState {
  return {
    ...emptyState,
    spanNs: trace.spanNs,
    rows: timelineRows(timelineSummary(trace)),
    window: {fromNs, toNs},
    answer: visible(trace, fromNs, toNs),
    answerWidthPx: 1000,
    ...change,
  };
}

/** Texts that are drawn, in their order. */
function texts(state: TimelineState, widthPx = 1000 + gutterPx): string[] {
  const {context, calls} = recordingContext();
  drawTimeline(context, state, {widthPx, heightPx: 400}, theme);
  return calls.filter(({method}) => method === 'fillText').map(({args}) => String(args[0]));
}

describe('drawTimeline(context, state)', () => {
  it('draws names, groups, tracks and the ruler', () => {
    expect(texts(timelineState(0, 20_000))).toEqual(
      expect.arrayContaining([
        'outer',
        'inner',
        'kernel_A',
        'GPU 0',
        'Stream 7 · compute',
        'Process 1',
        'CUDA API',
        '10 µs',
      ]),
    );
  });

  it('keeps the name of a slice in sight that began left of the window', () => {
    expect(texts(timelineState(5000, 15_000))).toContain('outer');
  });

  it('draws the last answer at its place while the window has moved on', () => {
    const state = timelineState(0, 20_000);
    expect(answerScale(state, 1000)).toEqual({scale: 1, shiftPx: 0});
    const zoomed = {...state, window: {fromNs: 5000, toNs: 10_000}};
    expect(answerScale(zoomed, 1000)).toEqual({scale: 4, shiftPx: -1000});
  });

  it('never draws a slice over the names of the tracks', () => {
    const {context, calls} = recordingContext();
    drawTimeline(context, timelineState(5000, 15_000), {widthPx: 1000 + gutterPx, heightPx: 400}, theme);
    const clips = calls.filter(({method}) => method === 'rect').map(({args}) => args[0]);
    expect(clips).toContain(gutterPx);
  });

  it.each([
    ['a gap', false],
    ['an edge of each', true],
  ])('has %s between neighbours, whose colour may be the same, with high contrast: %s', (_, isHighContrast) => {
    const side = traceFromText('stream 7          AAAABBBB');
    const {context, calls} = recordingContext();
    const state = {
      ...timelineState(0, 8000, {spanNs: side.spanNs, answer: visible(side, 0, 8000)}),
      rows: timelineRows(timelineSummary(side)),
    };
    drawTimeline(context, state, {widthPx: 1000 + gutterPx, heightPx: 400}, {...theme, isHighContrast});
    const boxes = (method: string) =>
      calls.filter(call => call.method === method && call.args[3] === (method === 'fillRect' ? barPx : barPx - 1));
    expect(boxes('fillRect').map(({args}) => [args[0], args[2]])).toEqual([
      [gutterPx, 499],
      [gutterPx + 500, 499],
    ]);
    expect(boxes('strokeRect')).toHaveLength(isHighContrast ? 2 : 0);
  });

  it('dims what does not belong to the highlighted ranges, once the engine has told what does', () => {
    const alphas = (answer: VisibleTimeline) => {
      const {context, calls} = recordingContext();
      const state = timelineState(0, 20_000, {highlighted: ['outer'], answer});
      drawTimeline(context, state, {widthPx: 3000, heightPx: 400}, theme);
      const alphaOf = (name: string) =>
        calls.find(({method, args}) => method === 'fillText' && args[0] === name)?.alpha;
      return ['inner', 'kernel_A', 'outer', 'kernel_b'].map(name => alphaOf(name));
    };
    const [inner, itsKernel, outer, other] = alphas(visible(trace, 0, 20_000, ['outer']));
    expect([inner, itsKernel, outer]).toEqual([1, 1, 1]);
    expect(other).toBeLessThan(0.5);
    expect(alphas(visible(trace, 0, 20_000))).toEqual([1, 1, 1, 1]);
  });

  it('draws steps down through all rows: every other one shaded, with edges, which high contrast has alone', () => {
    const steps = [0, 1, 2].map(number => ({number, startNs: 2000 * number, endNs: 2000 * number + 1900}) as Step);
    const bands = (isHighContrast: boolean, drawn = steps) => {
      const {context, calls} = recordingContext();
      const state = timelineState(0, 10_000, {steps: drawn});
      drawTimeline(context, state, {widthPx: 1000 + gutterPx, heightPx: 400}, {...theme, isHighContrast});
      return calls
        .filter(({method, args}) => method === 'fillRect' && args[3] === 400)
        .filter(({alpha}) => alpha < 0.4)
        .map(({args}) => [Number(args[0]) - gutterPx, args[2]]);
    };
    const edges = [0, 189, 200, 389, 400, 589].map(x => [x, 1]);
    expect(bands(false)).toEqual([...edges.slice(0, 2), [200, 190], ...edges.slice(2)]);
    expect(bands(true)).toEqual(edges);
    // Of several processes the first one's, which those of the others would hide.
    const ofTwo = steps.flatMap(step => [
      {...step, process: 0},
      {...step, process: 1, startNs: step.startNs + 20, endNs: step.endNs + 20},
    ]);
    expect(bands(false, ofTwo)).toEqual(bands(false));
    expect(stripColors(ofTwo)).toEqual(stripColors(steps).flatMap(color => [color, color]));
    expect(new Set(stripColors(steps)).size).toBe(2);
  });

  /** The colours of the steps above the rows. */
  function stripColors(steps: readonly Step[]): unknown[] {
    const {context, calls} = recordingContext();
    drawTimeline(context, timelineState(0, 10_000, {steps}), {widthPx: 1000 + gutterPx, heightPx: 400}, theme);
    return calls
      .filter(({method, args}) => method === 'fillRect' && args[3] === stepsPx - 2)
      .map(({fillStyle}) => fillStyle);
  }

  it('draws the whole trace, stretched, where the answer says nothing yet', () => {
    const whole = visible(trace, 0, 20_000);
    const rows = timelineRows(timelineSummary(trace));
    const stream = rows.rows.find(({label}) => label.startsWith('Stream 7'));
    const drawn = (change: Partial<TimelineState>) => {
      const {context, calls} = recordingContext();
      const state = timelineState(0, 10_000, {backdrop: {timeline: whole, widthPx: 1000}, ...change});
      drawTimeline(context, state, {widthPx: 1000 + gutterPx, heightPx: 400}, theme);
      return calls.filter(({method, args}) => method === 'fillText' && args[0] === 'kernel_A').length;
    };
    expect(drawn({answer: null})).toBe(1);
    // An answer about the whole window needs no backdrop.
    expect(uncoveredParts(timelineState(0, 10_000), rows.rows, 1000)).toEqual([]);
    // One about the rows of the process alone says nothing of the stream.
    const sight = {lanes: [], instants: [], counters: []};
    const parts = uncoveredParts(timelineState(0, 10_000, {answerSight: sight}), rows.rows, 1000);
    expect(parts).toContainEqual({
      leftPx: gutterPx,
      widthPx: 1000,
      topPx: stream?.topPx,
      heightPx: stream?.heightPx,
    });
    // One about the first half leaves the second.
    const half = timelineState(0, 20_000, {answer: visible(trace, 0, 10_000)});
    const beside = uncoveredParts(half, rows.rows, 1000);
    expect(beside.map(({leftPx, widthPx}) => [leftPx, widthPx])).toEqual(
      rows.rows.filter(({kind}) => kind !== 'group').map(() => [gutterPx + 500, 500]),
    );
  });

  it('draws names from a file as text, whatever they hold', () => {
    const evil = traceFromText('range <img/src=x>   =====');
    expect(
      texts({
        ...timelineState(0, 5000),
        rows: timelineRows(timelineSummary(evil)),
        answer: visible(evil, 0, 5000),
      }),
    ).toContain('<img/src=x>');
  });

  it('draws nothing but the frame while there is no answer', () => {
    expect(texts(timelineState(0, 20_000, {answer: null}))).not.toContain('outer');
  });
});

describe('fittedText(context, text, width)', () => {
  const {context} = recordingContext();
  it.each([
    ['abcdef', 36, 'abcdef'],
    ['abcdef', 30, 'abcd…'],
    ['abcdef', 14, 'a…'],
    ['abcdef', 13, ''],
  ])('%s in %d px is %j', (text, width, expected) => {
    expect(fittedText(context, text, width)).toBe(expected);
  });
});

it('colours are the same for the same name, and follow the theme', () => {
  expect(nameColors('layer_0', theme)).toEqual(nameColors('layer_0', theme));
  expect(nameColors('layer_0', theme)).not.toEqual(nameColors('layer_0', {...theme, isDark: false}));
  expect(kindColors('cuda_runtime', 'a', theme).fill).not.toBe(kindColors('osrt', 'a', theme).fill);
});

it('drawTimeline(context, state, size, theme) draws the critical path below its slices, and what waits from one to the next', () => {
  const kernels = trace.tracks.findIndex(({kind}) => kind === 'stream');
  const thread = trace.tracks.findIndex(({kind}) => kind === 'thread');
  // Two stretches, then one on a track that is not shown.
  const stretches = {
    ...{length: 3, track: Int32Array.of(thread, kernels, 99), lane: Int32Array.of(0, 0, 0)},
    ...{fromNs: Float64Array.of(2000, 10_000, 15_000), toNs: Float64Array.of(6000, 13_000, 20_000)},
  };
  const state = timelineState(0, 20_000, {path: {window: 'step 1', pathNs: 7000, stretches}});
  const {context, calls} = recordingContext();
  drawTimeline(context, state, {widthPx: 1000 + gutterPx, heightPx: 400}, theme);
  const drawn = calls
    .filter(({method, args}) => method === 'fillRect' && args[3] === pathPx)
    .map(({args}) => args as number[]);
  expect(drawn.map(([x = 0, , width = 0]) => [x - gutterPx, width])).toEqual([
    [100, 200],
    [500, 150],
  ]);
  const lines = calls.filter(({method}) => method === 'lineTo').map(({args}) => args as number[]);
  // Other lines are edges of arrows in the gutter.
  expect(lines.map(([x = 0]) => x - gutterPx).filter(x => x >= 0)).toEqual([500]);
});
