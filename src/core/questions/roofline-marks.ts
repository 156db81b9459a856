import type {ModelShape} from '../estimate/model-shape.js';
import type {Precision} from '../estimate/precision.js';
import type {System} from '../estimate/system.js';
import {workingOperators, type WorkingOperator} from '../roofline/costed-operators.js';
import {modelLayerPoints} from '../roofline/model-layer-points.js';
import {modelPoints} from '../roofline/model-points.js';
import type {RooflineGrouping, RooflinePoint} from '../roofline/roofline-points.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Trace} from '../trace/trace.js';
import {moduleLabels} from '../figures/module-labels.js';
import {moduleChoice} from '../figures/module-tree.js';
import {isUserFrame, operationOrigins} from '../figures/operation-origins.js';
import {moduleOfRange} from '../source/module-forward.js';
import {attributionOf} from '../scope/attribution-of.js';
import type {Selection} from '../scope/selection.js';

/** A point, with the place that it leads to. */
export interface RooflineMark extends RooflinePoint {
  /** Whether its operations and bytes come from recorded shapes, or from the chosen model. */
  readonly source: 'shapes' | 'model';
  /** A tagged range or Python frame around the work, whose source line may be known; null for none. */
  readonly place: string | null;
}

/** The names of operations' places. */
export interface Places {
  /** Operation → the range that it is credited to, or a bucket. */
  readonly range: (operation: number) => string;
  /** Operation → a name that a source line may belong to. */
  readonly source: (operation: number) => string | null;
}

export function placesOf(trace: Trace): Places {
  const {slices, strings} = trace;
  const attribution = attributionOf(trace);
  const {sites, credit, ranges} = attribution;
  const {frame} = operationOrigins(trace, attribution);
  const nameOf = (slice: number) => strings.get(slices.name[slice]);
  const rangeName = (operation: number) => {
    const range = sites.siteOf[operation] < 0 ? -1 : credit.range[sites.siteOf[operation]];
    return range < 0 ? null : nameOf(ranges.slice[range]);
  };
  return {
    range: operation => rangeName(operation) ?? '(outside any range)',
    source: operation => {
      const name = frame[operation] < 0 ? null : nameOf(frame[operation]);
      return name !== null && isUserFrame(name) ? name : rangeName(operation);
    },
  };
}

/** Returns the module that an operation is credited to, with identical layers as one: `Net.layers.0…11`. */
export function modulePlaces(trace: Trace): (operation: number) => string {
  const {sites, credit, ranges} = attributionOf(trace, moduleChoice);
  const labels = moduleLabels(trace);
  return operation => {
    const range = sites.siteOf[operation] < 0 ? -1 : credit.range[sites.siteOf[operation]];
    const label = range < 0 ? null : labels.of(ranges.slice[range]);
    return label === null ? '(outside any module)' : (moduleOfRange(label) ?? label);
  };
}

/** Returns points with the figures of recorded shapes. */
export function shapeMarks(
  points: readonly RooflinePoint[],
  operators: readonly WorkingOperator[],
  places: Places,
): RooflineMark[] {
  const placeOf = sourcePlaces(operators, places);
  return points.map(point => ({...point, source: 'shapes', place: placeOf(point.slice)}));
}

/** Returns, for an operator, a name that may lead to the source line of its work; null for none. */
function sourcePlaces(operators: readonly WorkingOperator[], places: Places): (slice: number) => string | null {
  const operationOf = new Map(operators.map(({slice, operation}) => [slice, operation]));
  return slice => {
    const operation = operationOf.get(slice);
    return operation === undefined ? null : places.source(operation);
  };
}

/**
 * Returns work with the figures of the chosen model: operators that match its layers by their shapes, and ranges that
 * are named like its layers and blocks and whose operators have no shapes.
 */
export function modelMarks(
  input: ReportInput,
  known: readonly RooflineMark[],
  places: Places,
  {by, model, system, precision, selection}: ModelQuestion,
): RooflineMark[] {
  const {operators} = workingOperators(input);
  const placeOf = sourcePlaces(operators, places);
  const layers = modelLayerPoints(input, operators, model, system).map((point): RooflineMark => ({
    ...point,
    source: 'model',
    place: placeOf(point.slice),
  }));
  if (by !== 'range') return layers;
  const names = new Set(known.map(({name}) => name));
  const ranges = modelPoints(input.trace, model, precision ?? 'fp16', system, selection)
    .map((point): RooflineMark => ({...point, source: 'model', place: point.name.replace(/ \((for|back)ward\)$/, '')}))
    .filter(({place}) => place === null || !names.has(place));
  return [...layers, ...ranges];
}

/** A question about a model. */
export interface ModelQuestion {
  readonly by: RooflineGrouping;
  readonly model: ModelShape;
  readonly system: System;
  readonly precision: Precision | null;
  readonly selection: Selection;
}
