import type {ReportInput} from '../figures/report-input.js';
import type {Cell, ReportDefinition, ReportRows} from './report.js';
import {runShare, runShareColumn} from './run-share.js';
import {amount, numberColumn, tally, textColumn, timeColumn} from './summary.js';
import {workingOperators} from '../roofline/costed-operators.js';
import {aboveRoof, flopsPerSecondOf, intensityOf, roofline} from '../roofline/roofline-points.js';
import {systemOfTrace} from '../roofline/roofs.js';
import {abovePeak, stepUtilisations} from '../roofline/step-utilisation.js';

/**
 * `roofline_sum`: operators by shape, with their FLOP and bytes and the GPU's limits. @see docs/metrics.md#roofline-sum
 */
export const rooflineSummary: ReportDefinition = {
  id: 'roofline_sum',
  oldId: null,
  title: 'Roofline Summary',
  options: [],
  details: () => ['shapes'],
  about: 'shapes of operators that launched GPU work (record_shapes=True)',
  columns: [
    runShareColumn,
    timeColumn('Total Time', 'durations of the GPU operations that the operators launched, summed', amount),
    numberColumn('Instances', 'number of operators with these shapes', tally),
    numberColumn(
      'FLOP',
      'floating-point operations of one operator (the mean of the row); a multiply and an add are two',
    ),
    numberColumn('Bytes', 'bytes of the inputs and outputs of one operator (the mean of the row), each once'),
    {...numberColumn('Intensity', 'FLOP / Bytes'), decimals: 2},
    {...numberColumn('TFLOP/s', 'FLOP of all of them over Total Time, 10^12 a second'), decimals: 3},
    {
      ...timeColumn(
        'Predicted',
        'the least time of one operator (the mean of the row) on the roofs of the GPU’s data sheet',
      ),
      decimals: 1,
    },
    {title: 'Of Roof', unit: 'percent', decimals: 1, definition: 'Predicted of all of them over Total Time'},
    textColumn('Precision', 'what products are in, by the first matrix’s type and the kernel’s name'),
    textColumn('Operator', 'name of the operator that launched the GPU operations'),
    textColumn('Shapes', 'sizes of its tensors'),
    textColumn('Note', 'why the row is doubtful'),
  ],
  rows: rooflineRows,
};

function rooflineRows(input: ReportInput): ReportRows {
  const {points, allGpuWorkNs, knownGpuWorkNs, hasShapes} = roofline(
    input,
    'shape',
    systemOfTrace(input.trace)?.preset.system ?? null,
  );
  const shareOf = (workNs: number) => runShare(workNs, allGpuWorkNs);
  const untoldNs = allGpuWorkNs - knownGpuWorkNs;
  const hasRest = points.length > 0 && untoldNs > 0;
  return {
    length: points.length + Number(hasRest),
    cells: row => {
      if (row === points.length) return restCells(shareOf(untoldNs), untoldNs);
      const point = points[row];
      const {count, gpuWorkNs, predictedNs, bytes} = point;
      const flops = point.matrixFlops + point.vectorFlops;
      return [
        shareOf(gpuWorkNs),
        gpuWorkNs,
        count,
        flops / count,
        bytes / count,
        intensityOf(point),
        gpuWorkNs === 0 ? null : flopsPerSecondOf(point) / 1e12,
        predictedNs === null ? null : predictedNs / count,
        predictedNs === null || gpuWorkNs === 0 ? null : (100 * predictedNs) / gpuWorkNs,
        point.precision,
        point.name,
        point.shape,
        predictedNs !== null && predictedNs > gpuWorkNs ? aboveRoof : '',
      ];
    },
    ...(hasShapes && {absent: 'operators with GPU work whose shapes tell what they compute: it has shapes of others'}),
    footer: [
      `${String(shareOf(knownGpuWorkNs) ?? 0)} % of all GPU work has shapes that tell its operations and bytes.`,
    ],
  };
}

/** Returns the last row: GPU work that is in no other row, so that all shares add up to the run. */
function restCells(share: number | null, workNs: number): Cell[] {
  const unknown = rooflineSummary.columns.slice(2, -3).map(() => null);
  return [share, workNs, ...unknown, '(shapes do not tell)', '', ''];
}

/** `mfu_sum`: how much of the GPUs' peak the matrix products of each step used. @see docs/metrics.md#mfu-sum */
export const utilisationSummary: ReportDefinition = {
  id: 'mfu_sum',
  oldId: null,
  title: 'Model FLOPs Utilisation by Step',
  options: [],
  details: () => ['shapes'],
  about: 'steps with products whose shapes are recorded (record_shapes=True)',
  columns: [
    numberColumn('Step', 'number of the step that launched the products', {role: 'step'}),
    timeColumn('Duration', 'from the step’s start to its end, its GPU operations included', amount),
    numberColumn('GPUs', 'number of GPUs that worked for it'),
    numberColumn('FLOP', 'floating-point operations of its products; a multiply and an add are two'),
    {...timeColumn('At Peak', 'Σ FLOP / peak of the product’s precision, on one GPU'), decimals: 1},
    {title: 'MFU', unit: 'percent', decimals: 2, definition: 'At Peak / (Duration × GPUs)'},
    {title: 'Known', unit: 'percent', decimals: 1, definition: 'share of the step’s GPU work that shapes tell'},
    textColumn('Note', 'why the row is doubtful'),
  ],
  rows: utilisationRows,
};

function utilisationRows(input: ReportInput): ReportRows {
  const system = systemOfTrace(input.trace)?.preset.system ?? null;
  const steps = stepUtilisations(input, system).filter(({matrixFlops}) => matrixFlops > 0);
  const {hasShapes} = workingOperators(input);
  return {
    length: steps.length,
    ...(hasShapes && {absent: 'steps with products whose shapes tell what they compute: it has shapes of others'}),
    cells: row => {
      const {step, durationNs, gpus, matrixFlops, peakNs, utilisation, gpuWorkNs, knownGpuWorkNs} = steps[row];
      return [
        step.number,
        durationNs,
        gpus,
        matrixFlops,
        utilisation === null ? null : peakNs,
        utilisation === null ? null : 100 * utilisation,
        gpuWorkNs === 0 ? null : (100 * knownGpuWorkNs) / gpuWorkNs,
        utilisation !== null && utilisation > 1 ? abovePeak : '',
      ];
    },
  };
}
