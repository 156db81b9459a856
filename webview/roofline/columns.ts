import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {formatQuantity} from '../../src/core/format/quantity.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {StepMark} from '../../src/core/questions/roofline.js';
import type {LayerComparison} from '../../src/core/roofline/layer-comparison.js';
import {aboveRoof} from '../../src/core/roofline/roofline-points.js';
import {abovePeak} from '../../src/core/roofline/step-utilisation.js';
import type {RowColumn} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';

const time = (ns: number | null) => (ns === null ? '–' : formatDuration(ns));
const share = (part: number | null, whole: number) => (part === null ? '–' : formatPercent(part, whole));

/** The points of the chart as a table, including those without operations. */
export const markColumns: readonly RowColumn<RooflineMark>[] = [
  {title: t('Name'), isText: true, text: ({name}) => name},
  {
    title: t('Figures from'),
    about: t('Whether operations and bytes are those of recorded shapes, or of the model that was chosen'),
    isText: true,
    text: ({source}) => (source === 'model' ? t('the model') : t('shapes')),
  },
  {title: t('Precision'), isText: true, text: ({precision}) => precision ?? ''},
  {title: t('Count'), value: ({count}) => count, text: ({count}) => String(count)},
  {
    title: t('GPU work'),
    value: ({gpuWorkNs}) => gpuWorkNs,
    about: t('Durations of the GPU operations, summed'),
    text: ({gpuWorkNs}) => time(gpuWorkNs),
  },
  {
    title: t('Predicted'),
    value: ({predictedNs}) => predictedNs,
    about: t('The least time on the roofs of the data sheet'),
    text: ({predictedNs}) => time(predictedNs),
  },
  {
    title: t('Of roof'),
    value: ({predictedNs, gpuWorkNs}) => (predictedNs === null ? null : predictedNs / gpuWorkNs),
    about: t('Predicted ÷ GPU work'),
    text: ({predictedNs, gpuWorkNs}) => share(predictedNs, gpuWorkNs),
  },
  {
    title: t('FLOP'),
    value: ({matrixFlops, vectorFlops}) => matrixFlops + vectorFlops,
    text: ({matrixFlops, vectorFlops}) => formatQuantity(matrixFlops + vectorFlops, ''),
  },
  {
    title: t('Bytes'),
    value: ({bytes}) => bytes,
    about: t('Inputs and outputs, each once'),
    text: ({bytes}) => formatQuantity(bytes, 'B'),
  },
  {
    title: t('FLOP/byte'),
    value: ({matrixFlops, vectorFlops, bytes}) => (matrixFlops + vectorFlops) / bytes,
    about: t('Arithmetic intensity'),
    text: ({matrixFlops, vectorFlops, bytes}) => formatQuantity((matrixFlops + vectorFlops) / bytes, ''),
  },
  {
    title: t('FLOP/s'),
    value: ({matrixFlops, vectorFlops, gpuWorkNs}) => (matrixFlops + vectorFlops) / gpuWorkNs,
    text: ({matrixFlops, vectorFlops, gpuWorkNs}) =>
      formatQuantity(((matrixFlops + vectorFlops) / gpuWorkNs) * 1e9, ''),
  },
  {title: t('Shapes'), isText: true, text: ({shape}) => shape ?? ''},
  {
    title: t('Note'),
    isText: true,
    text: ({predictedNs, gpuWorkNs}) => (predictedNs !== null && predictedNs > gpuWorkNs ? aboveRoof : ''),
  },
];

/** A model's layers, predicted and measured. */
export const layerColumns: readonly RowColumn<LayerComparison>[] = [
  {title: t('Layer'), isText: true, text: ({layers}) => layers.join(t(' or '))},
  {title: t('Pass'), isText: true, text: ({pass}) => pass},
  {title: t('Count'), value: ({count}) => count, text: ({count}) => String(count)},
  {
    title: t('Predicted'),
    value: ({predictedNs}) => predictedNs,
    about: t('The least time of one on the roofs'),
    text: ({predictedNs}) => time(predictedNs),
  },
  {
    title: t('Measured'),
    value: ({measuredNs}) => measuredNs,
    about: t('Mean GPU work of one'),
    text: ({measuredNs}) => time(measuredNs),
  },
  {
    title: t('Measured ÷ predicted'),
    value: ({predictedNs, measuredNs}) => (predictedNs === null ? null : measuredNs / predictedNs),
    text: ({predictedNs, measuredNs}) => (predictedNs === null ? '–' : `${(measuredNs / predictedNs).toFixed(2)} ×`),
  },
  {
    title: t('GPU work'),
    value: ({gpuWorkNs}) => gpuWorkNs,
    about: t('All of them together'),
    text: ({gpuWorkNs}) => time(gpuWorkNs),
  },
  {title: t('Operator'), isText: true, text: ({operator}) => operator},
  {title: t('Shapes'), isText: true, text: ({shape}) => shape},
];

/** Steps with their utilisation. */
export const stepColumns: readonly RowColumn<StepMark>[] = [
  {title: t('Step'), value: ({number}) => number, text: ({number}) => String(number)},
  {
    title: t('Duration'),
    value: ({durationNs}) => durationNs,
    about: t('From the step’s start to its end, its GPU operations included'),
    text: ({durationNs}) => time(durationNs),
  },
  {title: t('GPUs'), value: ({gpus}) => gpus, text: ({gpus}) => String(gpus)},
  {
    title: t('FLOP of products'),
    value: ({matrixFlops}) => matrixFlops,
    text: ({matrixFlops}) => formatQuantity(matrixFlops, ''),
  },
  {
    title: t('At peak'),
    value: ({peakNs}) => peakNs,
    about: t('Σ FLOP ÷ peak of the product’s precision'),
    text: ({peakNs}) => time(peakNs),
  },
  {
    title: t('MFU'),
    value: ({utilisation}) => utilisation,
    about: t('At peak ÷ (Duration × GPUs)'),
    text: ({utilisation}) => (utilisation === null ? '–' : formatPercent(utilisation, 1)),
  },
  {
    title: t('Note'),
    isText: true,
    text: ({utilisation}) => (utilisation !== null && utilisation > 1 ? abovePeak : ''),
  },
];
