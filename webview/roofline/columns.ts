import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {StepMark} from '../../src/core/questions/roofline.js';
import type {LayerComparison} from '../../src/core/roofline/layer-comparison.js';
import {aboveRoof} from '../../src/core/roofline/roofline-points.js';
import {abovePeak} from '../../src/core/roofline/step-utilisation.js';
import type {RowColumn} from '../shared/grid/row-grid.js';

const time = (ns: number | null) => (ns === null ? '–' : formatDuration(ns));
const share = (part: number | null, whole: number) => (part === null ? '–' : formatPercent(part, whole));

/** The points of the chart as a table, those that compute nothing included. */
export const markColumns: readonly RowColumn<RooflineMark>[] = [
  {title: 'Name', isText: true, text: ({name}) => name},
  {
    title: 'Figures from',
    about: 'Whether operations and bytes are those of recorded shapes, or of the model that was chosen',
    isText: true,
    text: ({source}) => (source === 'model' ? 'the model' : 'shapes'),
  },
  {title: 'Precision', isText: true, text: ({precision}) => precision ?? ''},
  {title: 'Count', value: ({count}) => count, text: ({count}) => String(count)},
  {
    title: 'GPU work',
    value: ({gpuWorkNs}) => gpuWorkNs,
    about: 'Durations of the GPU operations, summed',
    text: ({gpuWorkNs}) => time(gpuWorkNs),
  },
  {
    title: 'Predicted',
    value: ({predictedNs}) => predictedNs,
    about: 'The least time on the roofs of the data sheet',
    text: ({predictedNs}) => time(predictedNs),
  },
  {
    title: 'Of roof',
    value: ({predictedNs, gpuWorkNs}) => (predictedNs === null ? null : predictedNs / gpuWorkNs),
    about: 'Predicted ÷ GPU work',
    text: ({predictedNs, gpuWorkNs}) => share(predictedNs, gpuWorkNs),
  },
  {
    title: 'FLOP',
    value: ({matrixFlops, vectorFlops}) => matrixFlops + vectorFlops,
    text: ({matrixFlops, vectorFlops}) => formatQuantity(matrixFlops + vectorFlops, ''),
  },
  {
    title: 'Bytes',
    value: ({bytes}) => bytes,
    about: 'Inputs and outputs, each once',
    text: ({bytes}) => formatQuantity(bytes, 'B'),
  },
  {
    title: 'FLOP/byte',
    value: ({matrixFlops, vectorFlops, bytes}) => (matrixFlops + vectorFlops) / bytes,
    about: 'Arithmetic intensity',
    text: ({matrixFlops, vectorFlops, bytes}) => formatQuantity((matrixFlops + vectorFlops) / bytes, ''),
  },
  {
    title: 'FLOP/s',
    value: ({matrixFlops, vectorFlops, gpuWorkNs}) => (matrixFlops + vectorFlops) / gpuWorkNs,
    text: ({matrixFlops, vectorFlops, gpuWorkNs}) =>
      formatQuantity(((matrixFlops + vectorFlops) / gpuWorkNs) * 1e9, ''),
  },
  {title: 'Shapes', isText: true, text: ({shape}) => shape ?? ''},
  {
    title: 'Note',
    isText: true,
    text: ({predictedNs, gpuWorkNs}) => (predictedNs !== null && predictedNs > gpuWorkNs ? aboveRoof : ''),
  },
];

/** A model's layers, predicted and measured. */
export const layerColumns: readonly RowColumn<LayerComparison>[] = [
  {title: 'Layer', isText: true, text: ({layers}) => layers.join(' or ')},
  {title: 'Pass', isText: true, text: ({pass}) => pass},
  {title: 'Count', value: ({count}) => count, text: ({count}) => String(count)},
  {
    title: 'Predicted',
    value: ({predictedNs}) => predictedNs,
    about: 'The least time of one on the roofs',
    text: ({predictedNs}) => time(predictedNs),
  },
  {
    title: 'Measured',
    value: ({measuredNs}) => measuredNs,
    about: 'Mean GPU work of one',
    text: ({measuredNs}) => time(measuredNs),
  },
  {
    title: 'Measured ÷ predicted',
    value: ({predictedNs, measuredNs}) => (predictedNs === null ? null : measuredNs / predictedNs),
    text: ({predictedNs, measuredNs}) => (predictedNs === null ? '–' : `${(measuredNs / predictedNs).toFixed(2)} ×`),
  },
  {
    title: 'GPU work',
    value: ({gpuWorkNs}) => gpuWorkNs,
    about: 'All of them together',
    text: ({gpuWorkNs}) => time(gpuWorkNs),
  },
  {title: 'Operator', isText: true, text: ({operator}) => operator},
  {title: 'Shapes', isText: true, text: ({shape}) => shape},
];

/** Steps with their utilisation. */
export const stepColumns: readonly RowColumn<StepMark>[] = [
  {title: 'Step', value: ({number}) => number, text: ({number}) => String(number)},
  {
    title: 'Duration',
    value: ({durationNs}) => durationNs,
    about: 'From the step’s start to its end, its GPU operations included',
    text: ({durationNs}) => time(durationNs),
  },
  {title: 'GPUs', value: ({gpus}) => gpus, text: ({gpus}) => String(gpus)},
  {
    title: 'FLOP of products',
    value: ({matrixFlops}) => matrixFlops,
    text: ({matrixFlops}) => formatQuantity(matrixFlops, ''),
  },
  {
    title: 'At peak',
    value: ({peakNs}) => peakNs,
    about: 'Σ FLOP ÷ peak of the product’s precision',
    text: ({peakNs}) => time(peakNs),
  },
  {
    title: 'MFU',
    value: ({utilisation}) => utilisation,
    about: 'At peak ÷ (Duration × GPUs)',
    text: ({utilisation}) => (utilisation === null ? '–' : formatPercent(utilisation, 1)),
  },
  {
    title: 'Note',
    isText: true,
    text: ({utilisation}) => (utilisation !== null && utilisation > 1 ? abovePeak : ''),
  },
];
