import {expect} from 'vitest';
import type {RunComparison} from '../../src/core/compare/run-comparison.js';
import type {SelectedRun} from '../../src/core/compare/run-comparison-input.js';
import {workKinds} from '../../src/core/gpu-work/work-groups.js';
import type {Trace} from '../../src/core/trace/trace.js';

/** Returns a trace as input of `compareRuns`, without a sidecar. */
export function runOf(trace: Trace, selection: SelectedRun['selection'] = {}): SelectedRun {
  return {trace, selection, sidecar: null};
}

/** Checks every promise about a comparison's sums. */
export function expectToAddUp({total, rows}: RunComparison): void {
  for (const kind of workKinds) {
    const ofKind = rows.filter(row => row.kind === kind);
    const sum = ofKind.reduce((all, {deltaNs}) => all + deltaNs, 0);
    expect([kind, Math.abs(sum - total.deltaNs) <= 0.001 * Math.max(1, ofKind.length)]).toEqual([kind, true]);
    expect(new Set(ofKind.map(({path}) => path)).size).toBe(ofKind.length);
  }
  for (const {deltaNs, callsDeltaNs, perCallDeltaNs} of rows) {
    expect(callsDeltaNs + perCallDeltaNs).toBeCloseTo(deltaNs, 3);
  }
}

/** Returns a row by its kind and path. */
export function rowAt({rows}: RunComparison, kind: string, path: string): RunComparison['rows'][number] | undefined {
  return rows.find(row => row.kind === kind && row.path === path);
}
