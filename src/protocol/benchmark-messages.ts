import type {PrecisionRow} from '../core/benchmark/precision-map.js';
import type {MeasurementSet} from '../core/benchmark/text-measurements.js';

/** A sweep that is kept, or a text with benchmarks that is open. */
export interface BenchmarkSource {
  readonly key: string;
  readonly title: string;
}

/** How far the sweep that is shown has come, while it is being measured. */
export interface BenchmarkProgress {
  readonly doneCount: number;
  readonly totalCount: number;
  /** What is being measured. */
  readonly text: string;
}

/** What the benchmark view shows. */
export interface BenchmarkContent {
  readonly sources: readonly BenchmarkSource[];
  /** The source that is shown, null where there is none. */
  readonly key: string | null;
  readonly kind: 'sweep' | 'text';
  readonly sets: readonly MeasurementSet[];
  readonly progress: BenchmarkProgress | null;
  /** Whether points of it have not been measured, and could be. */
  readonly canGoOn: boolean;
  /** Points that have a profile. */
  readonly profiled: readonly number[];
}

/** What the view asks of the extension host. */
export interface BenchmarkHostRequests {
  'view/ready': {params: undefined; result: undefined};
  'benchmark/show': {params: {key: string}; result: undefined};
  /** Asks the user what to measure, and measures it. */
  'benchmark/run': {params: undefined; result: undefined};
  'benchmark/go-on': {params: {key: string}; result: undefined};
  'benchmark/cancel': {params: undefined; result: undefined};
  /** Opens the profile of a point, or takes one. */
  'benchmark/profile': {params: {key: string; id: number}; result: undefined};
  /** What a point was measured in, as names and values. */
  'benchmark/environment': {params: {key: string; id: number}; result: readonly (readonly [string, string])[]};
  /** The data types of one step of a point, which is run for it where they are not kept. */
  'benchmark/precision': {params: {key: string; id: number}; result: readonly PrecisionRow[]};
  'clipboard/write': {params: {text: string}; result: undefined};
}

/** What the extension host asks of the view. */
export interface BenchmarkViewRequests {
  'benchmark/content': {params: BenchmarkContent; result: undefined};
  'benchmark/progress': {params: BenchmarkProgress; result: undefined};
}
