import {getOrAdd} from '../../../core/table/get-or-add.js';
import {counterUnit} from '../../reading/counter-unit.js';
import {rowsPerTurn, type NsysReader} from '../database/nsys-reader.js';
import type {EventReader} from './event-reader.js';

export const gpuMetricsReader: EventReader = {
  table: 'GPU_METRICS',
  what: 'GPU metrics',
  columns: ['timestamp', 'typeId', 'metricId', 'value'],
  read: readGpuMetrics,
};

const bytesPerName = 200;

/** A counter of the trace, and the factor for its values. */
interface Metric {
  readonly counter: number;
  readonly scale: number;
}

/** GPU metrics, which nsys samples at up to 200 kHz: one counter per GPU and metric. */
function* readGpuMetrics(reader: NsysReader): Generator<number> {
  const {db, builder} = reader;
  const names = readNames(reader);
  const metrics = new Map<string, Map<number, Metric>>();
  let byMetric = new Map<number, Metric>();
  let lastType: number | null = NaN;
  let lastGpu: number | null = NaN;
  // The whole type does not fit a double; its low byte is the GPU.
  const sql = 'select timestamp, typeId >> 8, typeId & 255, metricId, value from GPU_METRICS';
  type Row = [number, number | null, number | null, number, unknown];
  let rows = 0;
  // Millions of rows: nothing is allocated for a row whose metric is known.
  for (const [at, type, gpu, metricId, value] of db.rows<Row>(sql)) {
    if (type !== lastType || gpu !== lastGpu) {
      byMetric = getOrAdd(metrics, keyOf(type, gpu), () => new Map<number, Metric>());
      lastType = type;
      lastGpu = gpu;
    }
    let metric = byMetric.get(metricId);
    if (metric === undefined) {
      metric = addMetric(reader, gpu ?? -1, names.get(keyOf(type, gpu, metricId)) ?? `metric ${String(metricId)}`);
      byMetric.set(metricId, metric);
    }
    const isSample = Number.isSafeInteger(at) && typeof value === 'number';
    if (!isSample || !builder.points.addSample(metric.counter, at, value * metric.scale)) reader.invalidRows++;
    if (++rows % rowsPerTurn === 0) yield rowsPerTurn;
  }
  yield rows % rowsPerTurn;
}

/** Ids of metrics differ from file to file. */
function readNames({db, budget}: NsysReader): Map<string, string> {
  const names = new Map<string, string>();
  budget.watch(() => names.size * bytesPerName);
  const table = 'TARGET_INFO_GPU_METRICS';
  if (!db.has(table, 'typeId', 'metricId', 'metricName')) return names;
  const sql = `select typeId >> 8, typeId & 255, metricId, metricName from ${table}`;
  for (const [type, gpu, metricId, name] of db.rows<[number, number, number, unknown]>(sql)) {
    if (budget.isSpent()) break;
    if (typeof name === 'string') names.set(keyOf(type, gpu, metricId), name);
  }
  return names;
}

function keyOf(...ids: (number | null)[]): string {
  return ids.join(' ');
}

function addMetric({builder, tracks}: NsysReader, gpu: number, metricName: string): Metric {
  if (gpu >= 0) tracks.devicesUsed.add(gpu);
  const {name, unit, scale} = counterUnit(metricName);
  return {counter: builder.points.counter({name, unit, process: -1, device: gpu}), scale};
}
