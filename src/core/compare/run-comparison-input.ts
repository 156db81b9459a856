import type {Selection} from '../scope/selection.js';
import type {Trace} from '../trace/trace.js';
import type {ComparedRun} from './comparability.js';
import type {RecordedShapes} from '../gpu-work/recorded-shapes.js';

/** A run, and the part of it that is compared. */
export interface SelectedRun extends ComparedRun {
  readonly trace: Trace;
  readonly selection: Selection;
  /** Shapes to match operators by; null or absent if they were not read. */
  readonly shapes?: RecordedShapes | null;
}

/** Returns whether all runs have shapes to match operators by. */
export function haveShapes(runs: readonly SelectedRun[]): boolean {
  return runs.every(({shapes}) => (shapes?.size ?? 0) > 0);
}
