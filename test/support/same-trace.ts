import {expect} from 'vitest';
import {visibleSlices} from '../../src/core/layout/visible-slices.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {traceInfo} from '../../src/core/questions/info.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {trackSummaries} from '../../src/core/questions/tracks.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {sectionArray, sections} from '../../src/importers/cache/trace-sections.js';
import {allLanes} from './all-lanes.js';

/** Fails unless two traces have the same contents: every table to the bit, every text, everything else. */
export function expectSameTrace(actual: Trace, expected: Trace): void {
  const bytes = ({buffer, byteOffset, byteLength}: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);
  for (const section of sections) {
    const isSame = bytes(sectionArray(actual, section)).equals(bytes(sectionArray(expected, section)));
    expect(isSame, `${section.part}.${section.column ?? ''}`).toBe(true);
  }
  expect(withoutArrays(actual)).toEqual(withoutArrays(expected));
  expect(textsOf(actual)).toEqual(textsOf(expected));
}

/** Fails unless two traces give the same answers. */
export function expectSameAnswers(actual: Trace, expected: Trace): void {
  expect(answersOf(actual)).toEqual(answersOf(expected));
}

function answersOf(trace: Trace): unknown {
  const window = {fromNs: 0, toNs: trace.spanNs, widthPx: 700, lanes: allLanes(trace.tracks.keys())};
  return {
    info: traceInfo(trace),
    tracks: trackSummaries(trace),
    visible: visibleSlices(trace, window),
    byName: rangeRows(trace, 'name'),
    byPath: rangeRows(trace, 'path'),
    flame: flameGraph(trace, {weight: 'gpu-work'}),
  };
}

function withoutArrays(trace: Trace): unknown {
  const arrays = Object.fromEntries(sections.map(({part}) => [part, trace[part].length]));
  return {...trace, strings: trace.strings.length, ...arrays};
}

function textsOf({strings}: Trace): string[] {
  return Array.from({length: strings.length}, (_, index) => strings.get(index));
}
