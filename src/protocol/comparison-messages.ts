import type {ComparedFlames} from '../core/compare/compare-flames.js';
import type {RunComparison} from '../core/compare/run-comparison.js';
import type {RunMatrix} from '../core/compare/run-matrix.js';
import type {FileToSave} from './view-messages.js';

/** What the page of a comparison shows. */
export type ComparisonContent =
  | {readonly state: 'empty'}
  | {
      readonly state: 'pair';
      /** The names of the runs, the base first. */
      readonly names: readonly [base: string, changed: string];
      readonly comparison: RunComparison;
      readonly flames: ComparedFlames;
      /** Whether both runs have a timeline. Printed tables have none. */
      readonly hasTimelines: boolean;
      /** Whether operators are matched by the shapes of their inputs, too. */
      readonly isByShapes: boolean;
    }
  | {readonly state: 'matrix'; readonly names: readonly string[]; readonly matrix: RunMatrix};

/** Requests from the page to the extension host. */
export interface ComparisonHostRequests {
  'view/ready': {params: undefined; result: undefined};
  /** Shows the timelines of both, one above the other and linked. */
  'timelines/show': {params: undefined; result: undefined};
  /**
   * Matches operators by the shapes of their inputs, too, or by name alone, and shows the result. Returns false if a
   * profile has no shapes.
   */
  'shapes/choose': {params: {isByShapes: boolean}; result: boolean};
  'clipboard/write': {params: {text: string}; result: undefined};
  /** Returns whether the user chose where to save it. */
  'file/save': {params: FileToSave; result: boolean};
}

/** Requests from the extension host to the page. */
export interface ComparisonViewRequests {
  'comparison/content': {params: ComparisonContent; result: undefined};
}
