import type {ModelShape} from '../estimate/model-shape.js';
import {precisions, type Precision} from '../estimate/precision.js';
import {systemPreset} from '../estimate/system-presets.js';
import type {System} from '../estimate/system.js';
import {calibrate, type Calibration} from '../roofline/calibrate.js';
import {workingOperators, type WorkingOperator} from '../roofline/costed-operators.js';
import {compareLayers, matchingModels, type LayerComparison} from '../roofline/layer-comparison.js';
import {roofline, type RooflineGrouping} from '../roofline/roofline-points.js';
import {deviceNameOf, systemOfTrace} from '../roofline/roofs.js';
import {stepUtilisations} from '../roofline/step-utilisation.js';
import {reportScope} from '../scope/report-scope.js';
import {modelMarks, modulePlaces, placesOf, shapeMarks, type RooflineMark} from './roofline-marks.js';
import type {Selection} from '../scope/selection.js';
import {reportInput} from '../figures/report-input.js';
import {wholeTrace} from '../scope/report-scope.js';
import type {ReportDetails} from '../figures/report-details.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Trace} from '../trace/trace.js';

/** The question of the roofline view. */
export interface RooflineQuery {
  readonly by: RooflineGrouping;
  /** A preset's name; null for the system with the profile's own GPU. */
  readonly system: string | null;
  /** The model to compare with; null for none. */
  readonly model: ModelShape | null;
  /** The part of the profile for points, layers and steps; all of it if absent. */
  readonly selection?: Selection;
}

/** A step with its utilisation, as numbers for the view. */
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
  /** The GPU's name in the profile, and the chosen preset; null if there is none. */
  readonly deviceName: string | null;
  readonly systemId: string | null;
  /** Whether the GPU's name does not determine its memory. */
  readonly isAssumed: boolean;
  readonly hasShapes: boolean;
  readonly allGpuWorkNs: number;
  readonly knownGpuWorkNs: number;
  /** Presets of models whose weights the profile multiplies. */
  readonly matchingModels: readonly string[];
  /** The precision of most matrix products; null if there are none. */
  readonly precision: Precision | null;
  readonly calibration: Calibration;
}

/** No screen can show more points apart. */
const mostMarks = 1000;
const mostSteps = 5000;

/**
 * Returns the roofline of a profile, its layers against a model, and its steps' utilisation. The measured figures of
 * the system and the matching models cover the whole profile, whatever is selected.
 *
 * @param details with `shapes` and `collectives`
 * @throws TraceError `trace/too-many-open-ranges`, `selection/no-match`
 */
export function rooflineAnswer(
  trace: Trace,
  details: ReportDetails,
  {by, system: id, model, selection = {}}: RooflineQuery,
): RooflineAnswer {
  const whole = reportInput({trace, details, scope: wholeTrace});
  const scope = reportScope(trace, selection);
  const input = scope === wholeTrace ? whole : reportInput({trace, details, scope});
  const {system, ...named} = systemAsked(trace, id);
  const {operators, allGpuWorkNs} = workingOperators(input);
  const places = placesOf(trace);
  const {points, knownGpuWorkNs, hasShapes} = roofline(
    input,
    by,
    system,
    by === 'module' ? modulePlaces(trace) : places.range,
  );
  const precision = mainPrecision(operators);
  const ofShapes = shapeMarks(points, operators, places);
  const ofModel =
    model && system
      ? modelMarks(input, ofShapes, places, {by, system, model, precision, selection}).slice(0, mostMarks)
      : [];
  return {
    marks: [...ofShapes.slice(0, mostMarks - ofModel.length), ...ofModel],
    comparisons: model ? compareLayers(input, operators, model, system).slice(0, mostMarks) : [],
    steps: stepMarks(input, system),
    ...named,
    hasShapes,
    allGpuWorkNs,
    knownGpuWorkNs,
    matchingModels: matchingModels(whole, workingOperators(whole).operators),
    precision,
    calibration: calibrate(whole),
  };
}

type Named = Pick<RooflineAnswer, 'deviceName' | 'systemId' | 'isAssumed'>;

/** Returns the requested system: the one with this name, or the one of the profile's GPU. */
function systemAsked(trace: Trace, id: string | null): Named & {readonly system: System | null} {
  const deviceName = deviceNameOf(trace);
  if (id !== null) {
    const preset = systemPreset(id);
    return {system: preset?.system ?? null, deviceName, systemId: preset?.id ?? null, isAssumed: false};
  }
  const own = systemOfTrace(trace);
  return {
    system: own?.preset.system ?? null,
    deviceName,
    systemId: own?.preset.id ?? null,
    isAssumed: own?.isAssumed ?? false,
  };
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

/** Returns the precision of most products' operations. */
function mainPrecision(operators: readonly WorkingOperator[]): Precision | null {
  const flops = new Map<Precision, number>();
  for (const {cost} of operators) {
    if (cost?.precision) flops.set(cost.precision, (flops.get(cost.precision) ?? 0) + cost.flops.matrix);
  }
  const most = (precision: Precision) => flops.get(precision) ?? 0;
  return precisions.filter(precision => most(precision) > 0).sort((a, b) => most(b) - most(a))[0] ?? null;
}
