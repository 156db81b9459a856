import type {PrecisionRow} from '../core/benchmark/precision-map.js';
import type {MeasurementSet} from '../core/benchmark/text-measurements.js';

/** A sweep that is kept, or a text with benchmarks that is open. */
export interface BenchmarkSource {
  readonly key: string;
  readonly title: string;
}

/** The progress of the shown sweep, while it is being measured. */
export interface BenchmarkProgress {
  readonly doneCount: number;
  readonly totalCount: number;
  /** What is being measured. */
  readonly text: string;
}

/** What the benchmark view shows. */
export interface BenchmarkContent {
  readonly sources: readonly BenchmarkSource[];
  /** The shown source, or null. */
  readonly key: string | null;
  readonly kind: 'sweep' | 'text';
  readonly sets: readonly MeasurementSet[];
  readonly progress: BenchmarkProgress | null;
  /** Whether it has points that were not measured, but can be. */
  readonly canGoOn: boolean;
  /** Points that have a profile. */
  readonly profiled: readonly number[];
}

/** Requests from the view to the extension host. */
export interface BenchmarkHostRequests {
  'view/ready': {params: undefined; result: undefined};
  'benchmark/show': {params: {key: string}; result: undefined};
  /** Asks the user what to measure, and measures it. */
  'benchmark/run': {params: undefined; result: undefined};
  'benchmark/go-on': {params: {key: string}; result: undefined};
  'benchmark/cancel': {params: undefined; result: undefined};
  /** Opens the profile of a point, or records one. */
  'benchmark/profile': {params: {key: string; id: number}; result: undefined};
  /** The environment of a point's measurement, as names and values. */
  'benchmark/environment': {params: {key: string; id: number}; result: readonly (readonly [string, string])[]};
  /** The data types of one step of a point. If they are not saved, a step is run to find them. */
  'benchmark/precision': {params: {key: string; id: number}; result: readonly PrecisionRow[]};
  'clipboard/write': {params: {text: string}; result: undefined};
}

/** Requests from the extension host to the view. */
export interface BenchmarkViewRequests {
  'benchmark/content': {params: BenchmarkContent; result: undefined};
  'benchmark/progress': {params: BenchmarkProgress; result: undefined};
}
