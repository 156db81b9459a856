import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {StepMark} from '../../src/core/questions/roofline.js';
import type {LayerComparison} from '../../src/core/roofline/layer-comparison.js';
import {aboveRoof} from '../../src/core/roofline/roofline-points.js';
import {abovePeak} from '../../src/core/roofline/step-utilisation.js';
import type {PlainColumn} from '../shared/plain-table.js';

const time = (ns: number | null) => (ns === null ? '–' : formatDuration(ns));
const share = (part: number | null, whole: number) => (part === null ? '–' : formatPercent(part, whole));

/** The points of the chart as a table, those that compute nothing included. */
export const markColumns: readonly PlainColumn<RooflineMark>[] = [
  {title: 'Name', isText: true, text: ({name}) => name},
  {
    title: 'Figures from',
    about: 'Whether operations and bytes are those of recorded shapes, or of the model that was chosen',
    isText: true,
    text: ({source}) => (source === 'model' ? 'the model' : 'shapes'),
  },
  {title: 'Precision', isText: true, text: ({precision}) => precision ?? ''},
  {title: 'Count', text: ({count}) => String(count)},
  {title: 'GPU work', about: 'Durations of the GPU operations, summed', text: ({gpuWorkNs}) => time(gpuWorkNs)},
  {
    title: 'Predicted',
    about: 'The least time on the roofs of the data sheet',
    text: ({predictedNs}) => time(predictedNs),
  },
  {title: 'Of roof', about: 'Predicted ÷ GPU work', text: ({predictedNs, gpuWorkNs}) => share(predictedNs, gpuWorkNs)},
  {title: 'FLOP', text: ({matrixFlops, vectorFlops}) => formatQuantity(matrixFlops + vectorFlops, '')},
  {title: 'Bytes', about: 'Inputs and outputs, each once', text: ({bytes}) => formatQuantity(bytes, 'B')},
  {
    title: 'FLOP/byte',
    about: 'Arithmetic intensity',
    text: ({matrixFlops, vectorFlops, bytes}) => formatQuantity((matrixFlops + vectorFlops) / bytes, ''),
  },
  {
    title: 'FLOP/s',
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
export const layerColumns: readonly PlainColumn<LayerComparison>[] = [
  {title: 'Layer', isText: true, text: ({layers}) => layers.join(' or ')},
  {title: 'Pass', isText: true, text: ({pass}) => pass},
  {title: 'Count', text: ({count}) => String(count)},
  {title: 'Predicted', about: 'The least time of one on the roofs', text: ({predictedNs}) => time(predictedNs)},
  {title: 'Measured', about: 'Mean GPU work of one', text: ({measuredNs}) => time(measuredNs)},
  {
    title: 'Measured ÷ predicted',
    text: ({predictedNs, measuredNs}) => (predictedNs === null ? '–' : `${(measuredNs / predictedNs).toFixed(2)} ×`),
  },
  {title: 'GPU work', about: 'All of them together', text: ({gpuWorkNs}) => time(gpuWorkNs)},
  {title: 'Operator', isText: true, text: ({operator}) => operator},
  {title: 'Shapes', isText: true, text: ({shape}) => shape},
];

/** Steps with their utilisation. */
export const stepColumns: readonly PlainColumn<StepMark>[] = [
  {title: 'Step', text: ({number}) => String(number)},
  {
    title: 'Duration',
    about: 'From the step’s start to its end, its GPU operations included',
    text: ({durationNs}) => time(durationNs),
  },
  {title: 'GPUs', text: ({gpus}) => String(gpus)},
  {title: 'FLOP of products', text: ({matrixFlops}) => formatQuantity(matrixFlops, '')},
  {title: 'At peak', about: 'Σ FLOP ÷ peak of the product’s precision', text: ({peakNs}) => time(peakNs)},
  {
    title: 'MFU',
    about: 'At peak ÷ (Duration × GPUs)',
    text: ({utilisation}) => (utilisation === null ? '–' : formatPercent(utilisation, 1)),
  },
  {
    title: 'Note',
    isText: true,
    text: ({utilisation}) => (utilisation !== null && utilisation > 1 ? abovePeak : ''),
  },
];
