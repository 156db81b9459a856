import type {ModelShape} from '../estimate/model-shape.js';
import {precisions, type Precision} from '../estimate/precision.js';
import {systemPreset} from '../estimate/system-presets.js';
import type {System} from '../estimate/system.js';
import {calibrate, type Calibration} from '../roofline/calibrate.js';
import {workingOperators, type WorkingOperator} from '../roofline/costed-operators.js';
import {compareLayers, matchingModels, type LayerComparison} from '../roofline/layer-comparison.js';
import {modelPoints} from '../roofline/model-points.js';
import {roofline, type RooflineGrouping, type RooflinePoint} from '../roofline/roofline-points.js';
import {deviceNameOf, systemOfTrace} from '../roofline/roofs.js';
import {stepUtilisations} from '../roofline/step-utilisation.js';
import {isUserFrame, operationOrigins} from './operation-origins.js';
import {attributionOf} from './ranges.js';
import {reportInput} from '../stats/report-input.js';
import {wholeTrace} from '../stats/report-source.js';
import type {ReportDetails} from '../stats/report-details.js';
import type {ReportInput} from '../stats/report.js';
import type {Trace} from '../trace/trace.js';

/** What the view of the roofline asks. */
export interface RooflineQuery {
  readonly by: RooflineGrouping;
  /** A preset's name; null for the system of the profile's own GPU. */
  readonly system: string | null;
  /** The model to compare with; null for none. */
  readonly model: ModelShape | null;
}

/** A point, and where it leads. */
export interface RooflineMark extends RooflinePoint {
  /** Whether its operations and bytes are of recorded shapes, or of the model that was chosen. */
  readonly source: 'shapes' | 'model';
  /** A tagged range or Python frame around the work, whose line the source may have; null for none. */
  readonly place: string | null;
}

/** A step with its utilisation, as numbers that a view can show. */
export interface StepMark {
  readonly number: number;
  readonly durationNs: number;
  readonly gpus: number;
  readonly matrixFlops: number;
  readonly peakNs: number;
  readonly utilisation: number | null;
}

export interface RooflineAnswer {
  readonly marks: readonly RooflineMark[];
  readonly comparisons: readonly LayerComparison[];
  readonly steps: readonly StepMark[];
  /** The GPU's name in the profile, and the preset that was taken; null where there is none. */
  readonly deviceName: string | null;
  readonly systemId: string | null;
  /** Whether the GPU's name leaves its memory open. */
  readonly isAssumed: boolean;
  readonly hasShapes: boolean;
  readonly allGpuWorkNs: number;
  readonly knownGpuWorkNs: number;
  /** Presets of models whose weights the profile multiplies. */
  readonly matchingModels: readonly string[];
  /** What most products are in, null where there are none. */
  readonly precision: Precision | null;
  readonly calibration: Calibration;
}

/** No screen tells more points apart. */
const mostMarks = 1000;
const mostSteps = 5000;

/**
 * The roofline of a profile, its layers against a model, and its steps' utilisation.
 *
 * @param details with `shapes` and `collectives`
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function rooflineAnswer(
  trace: Trace,
  details: ReportDetails,
  {by, system: id, model}: RooflineQuery,
): RooflineAnswer {
  const input = reportInput({trace, details, scope: wholeTrace});
  const own = systemOfTrace(trace);
  const chosen = id === null ? (own?.preset ?? null) : systemPreset(id);
  const system = chosen?.system ?? null;
  const {operators, allGpuWorkNs} = workingOperators(input);
  const places = placesOf(trace);
  const {points, knownGpuWorkNs, hasShapes} = roofline(input, by, system, places.range);
  const precision = mainPrecision(operators);
  const marks = shapeMarks(points, operators, places);
  return {
    marks: [...marks, ...modelMarks(input, marks, {by, system, model, precision})].slice(0, mostMarks),
    comparisons: model ? compareLayers(input, operators, model, system).slice(0, mostMarks) : [],
    steps: stepMarks(input, system),
    deviceName: deviceNameOf(trace),
    systemId: chosen?.id ?? null,
    isAssumed: id === null && (own?.isAssumed ?? false),
    hasShapes,
    allGpuWorkNs,
    knownGpuWorkNs,
    matchingModels: matchingModels(input, operators),
    precision,
    calibration: calibrate(input),
  };
}

interface Places {
  /** Operation → the range that it is credited to, or a bucket. */
  readonly range: (operation: number) => string;
  /** Operation → a name that a source line may have. */
  readonly source: (operation: number) => string | null;
}

function placesOf(trace: Trace): Places {
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

function shapeMarks(
  points: readonly RooflinePoint[],
  operators: readonly WorkingOperator[],
  places: Places,
): RooflineMark[] {
  const operationOf = new Map(operators.map(({slice, operation}) => [slice, operation]));
  return points.map(point => {
    const operation = operationOf.get(point.slice);
    return {...point, source: 'shapes', place: operation === undefined ? null : places.source(operation)};
  });
}

/** Ranges whose operators have no shapes, with the figures of the model that was chosen. */
function modelMarks(
  {trace}: ReportInput,
  known: readonly RooflineMark[],
  {by, system, model, precision}: Omit<RooflineQuery, 'system'> & {system: System | null; precision: Precision | null},
): RooflineMark[] {
  if (by !== 'range' || !model || !system) return [];
  const points = modelPoints(trace, model, precision ?? 'fp16', system);
  const names = new Set(known.map(({name}) => name));
  return points
    .map(point => ({...point, source: 'model' as const, place: point.name.replace(/ \((for|back)ward\)$/, '')}))
    .filter(({place}) => !names.has(place));
}

function stepMarks(input: ReportInput, system: System | null): StepMark[] {
  return stepUtilisations(input, system)
    .filter(({matrixFlops}) => matrixFlops > 0)
    .slice(0, mostSteps)
    .map(({step: {number}, durationNs, gpus, matrixFlops, peakNs, utilisation}) => ({
      number,
      durationNs,
      gpus,
      matrixFlops,
      peakNs,
      utilisation,
    }));
}

/** The precision in which most operations of products are. */
function mainPrecision(operators: readonly WorkingOperator[]): Precision | null {
  const flops = new Map<Precision, number>();
  for (const {cost} of operators) {
    if (cost?.precision) flops.set(cost.precision, (flops.get(cost.precision) ?? 0) + cost.flops.matrix);
  }
  const most = (precision: Precision) => flops.get(precision) ?? 0;
  return precisions.filter(precision => most(precision) > 0).sort((a, b) => most(b) - most(a))[0] ?? null;
}
