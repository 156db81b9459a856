import type {ComparedFlames} from '../core/compare/compare-flames.js';
import type {RunComparison} from '../core/compare/run-comparison.js';
import type {RunMatrix} from '../core/compare/run-matrix.js';
import type {FileToSave} from './view-messages.js';

/** What the page of a comparison shows. */
export type ComparisonContent =
  | {readonly state: 'empty'}
  | {
      readonly state: 'pair';
      /** What the runs are called, the base first. */
      readonly names: readonly [base: string, changed: string];
      readonly comparison: RunComparison;
      readonly flames: ComparedFlames;
      /** Whether both have a timeline; printed tables have none. */
      readonly hasTimelines: boolean;
    }
  | {readonly state: 'matrix'; readonly names: readonly string[]; readonly matrix: RunMatrix};

/** What the page asks of the extension host. */
export interface ComparisonHostRequests {
  'view/ready': {params: undefined; result: undefined};
  /** Shows the timelines of both, one above the other and linked. */
  'timelines/show': {params: undefined; result: undefined};
  'clipboard/write': {params: {text: string}; result: undefined};
  /** Whether a place for it was chosen. */
  'file/save': {params: FileToSave; result: boolean};
}

/** What the extension host asks of the page. */
export interface ComparisonViewRequests {
  'comparison/content': {params: ComparisonContent; result: undefined};
}
