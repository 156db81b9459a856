import {parsePrecisionRows, type PrecisionRow} from '../../core/benchmark/precision-map.js';
import {parseEnvironment, parseMemory} from '../../core/benchmark/parse-result.js';
import {
  pointErrors,
  stepPhases,
  type EnvironmentValues,
  type PointError,
  type PointMemory,
  type StepPhase,
} from '../../core/benchmark/point-result.js';
import {isFields, numberOrNull, parseJsonLine, textOrNull, type JsonFields} from '../../core/base/read-json.js';

/** The protocol version that this side reads; `gpulens_runner/events.py` writes it. */
const protocolVersion = 1;

/** An event from the process that measures a point. */
export type PointEvent =
  | {readonly event: 'environment'; readonly values: EnvironmentValues}
  | {
      readonly event: 'work';
      readonly parameters: number | null;
      readonly parametersWithoutEmbedding: number | null;
      readonly samples: number | null;
      readonly tokens: number | null;
      readonly device: string | null;
    }
  | {
      readonly event: 'step';
      readonly phase: 'warm-up' | 'measured';
      readonly ns: number;
      readonly phases: Readonly<Partial<Record<StepPhase, number>>>;
    }
  | {readonly event: 'slept'; readonly ns: number}
  | {readonly event: 'memory'; readonly memory: PointMemory | null}
  /** The GPU's state right after the last step. */
  | {readonly event: 'gpu'; readonly values: EnvironmentValues}
  | {readonly event: 'trace'; readonly path: string}
  | {readonly event: 'precision'; readonly rows: readonly PrecisionRow[]}
  | {readonly event: 'failed'; readonly error: PointError; readonly message: string}
  | {readonly event: 'done'; readonly error: PointError | null};

/** Returns the event in one line; null for a line of another version or form, which the caller skips. */
export function parsePointEvent(line: string): PointEvent | null {
  const fields = parseJsonLine(line);
  if (fields?.['v'] !== protocolVersion || typeof fields['event'] !== 'string') return null;
  const read = Object.hasOwn(readers, fields['event']) ? readers[fields['event']] : undefined;
  return read ? read(fields) : null;
}

const readers: Readonly<Record<string, (fields: JsonFields) => PointEvent | null>> = {
  environment: ({values}) => ({event: 'environment', values: parseEnvironment(values)}),
  gpu: ({values}) => ({event: 'gpu', values: parseEnvironment(values)}),
  work: fields => ({
    event: 'work',
    parameters: numberOrNull(fields['parameters']),
    parametersWithoutEmbedding: numberOrNull(fields['parametersWithoutEmbedding']),
    samples: numberOrNull(fields['samples']),
    tokens: numberOrNull(fields['tokens']),
    device: textOrNull(fields['device']),
  }),
  step: ({phase, ns, phases}) => {
    const duration = numberOrNull(ns);
    if (duration === null || (phase !== 'warm-up' && phase !== 'measured')) return null;
    return {event: 'step', phase, ns: duration, phases: parsePhases(phases)};
  },
  slept: ({ns}) => ({event: 'slept', ns: numberOrNull(ns) ?? 0}),
  memory: fields => ({event: 'memory', memory: parseMemory(fields)}),
  precision: ({rows}) => ({event: 'precision', rows: parsePrecisionRows(rows)}),
  trace: ({path}) => (typeof path === 'string' ? {event: 'trace', path} : null),
  failed: ({error, message}) => ({
    event: 'failed',
    error: asError(error) ?? 'crash',
    message: textOrNull(message) ?? '',
  }),
  done: ({error}) => ({event: 'done', error: asError(error)}),
};

function parsePhases(value: unknown): Partial<Record<StepPhase, number>> {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    stepPhases.flatMap(phase => {
      const ns = numberOrNull(value[phase]);
      return ns === null ? [] : [[phase, ns]];
    }),
  );
}

function asError(value: unknown): PointError | null {
  return pointErrors.find(known => known === value) ?? null;
}
