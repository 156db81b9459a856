import {isCount, isFields, parseJsonLine, type JsonFields} from '../base/read-json.js';

/** What a process of a run told of its work, as `src/runner/gpulens_proof` writes it. */
export interface ProcessRecord {
  readonly work: WorkRecord | null;
  readonly clock: StepClock | null;
  readonly same: SameRecord | null;
  /** Its number; null where it told none. */
  readonly pid: number | null;
  /** What the import of torch took; null where there was none. */
  readonly importNs: number | null;
  /** How long it only waited for a processor that other programs had, apart from that import; null where nobody knows. */
  readonly waitedNs: number | null;
  readonly surroundings: Surroundings;
}

export const stepKinds = ['train', 'backward', 'infer'] as const;
/** What ends a step: an optimizer's step, a backward pass, or a call of a module that stands in no other's. */
export type StepKind = (typeof stepKinds)[number];

/** A close look at what a process did with torch. */
export interface WorkRecord {
  readonly counts: Readonly<Record<StepKind, number>>;
  readonly losses: readonly number[];
  /** Types and shapes of the inputs of outermost modules → number of calls. */
  readonly shapes: ReadonlyMap<string, number>;
  readonly inputElements: number;
  readonly dtypes: readonly string[];
  readonly modes: readonly string[];
  /** Data type → floating-point operations; null where they could not be counted. */
  readonly flops: ReadonlyMap<string, number> | null;
  readonly precision: string;
  readonly outputs: {readonly digest: string; readonly norm: number};
  readonly parameters: {readonly digest: string; readonly norms: readonly number[]; readonly count: number};
  readonly device: string;
}

/** What the clock of a timed run told. */
export interface StepClock {
  readonly count: number;
  readonly stepsNs: number | null;
  /**
   * The part of it in which the script only waited for a processor that other programs had; null where nobody knows, or
   * other work of its own may have had it.
   */
  readonly waitedNs: number | null;
  /** From the last step to the end of the process. */
  readonly tailNs: number | null;
  /** The part of that in which the process waited for a processor; null where nobody knows. */
  readonly tailWaitedNs: number | null;
  readonly device: string;
}

/** What the person's function returned. */
export type SameRecord =
  {readonly error: string} | {readonly structure: string; readonly numbers: readonly number[]; readonly digest: string};

export interface Surroundings {
  /** Files of the run's own folders. */
  readonly reads: readonly string[];
  /** Files outside of them, without those of an installed Python. */
  readonly outerReads: readonly string[];
  /** Those that were written after the proof began and before this process. */
  readonly leftReads: readonly string[];
  readonly profilers: readonly string[];
  /** Files of the person's own checkout that ran. */
  readonly foreignCode: readonly string[];
}

/** Returns the record in a text that a process of the user's wrote; null where it is none. */
export function parseProcessRecord(text: string): ProcessRecord | null {
  const fields = parseJsonLine(text);
  if (!fields) return null;
  const {pid, work, importNs, waitedNs} = fields;
  return {
    work: isFields(work) && isFields(work['counts']) ? workOf(work) : null,
    clock: isFields(work) && isCount(work['count']) ? clockOf(work) : null,
    same: sameOf(fields['same']),
    pid: isCount(pid, 1) ? pid : null,
    importNs: isCount(importNs) ? importNs : null,
    waitedNs: isCount(waitedNs) ? waitedNs : null,
    surroundings: surroundingsOf(isFields(fields['surroundings']) ? fields['surroundings'] : {}),
  };
}

function workOf(fields: JsonFields): WorkRecord {
  const counts = objectOf(fields['counts']);
  const [outputs, parameters] = [objectOf(fields['outputs']), objectOf(fields['parameters'])];
  return {
    counts: {train: count(counts['train']), backward: count(counts['backward']), infer: count(counts['infer'])},
    losses: numbers(fields['losses']),
    shapes: countsOf(fields['shapes']),
    inputElements: count(fields['inputElements']),
    dtypes: texts(fields['dtypes']),
    modes: texts(fields['modes']),
    flops: isFields(fields['flops']) ? countsOf(fields['flops']) : null,
    precision: text(fields['precision']),
    outputs: {digest: text(outputs['digest']), norm: Number(outputs['norm'] ?? 0)},
    parameters: {
      digest: text(parameters['digest']),
      norms: numbers(parameters['norms']),
      count: count(parameters['count']),
    },
    device: text(fields['device']),
  };
}

function clockOf(fields: JsonFields): StepClock {
  const nsAt = (key: string) => (isCount(fields[key]) ? fields[key] : null);
  return {
    count: count(fields['count']),
    ...{stepsNs: nsAt('stepsNs'), waitedNs: nsAt('waitedNs')},
    ...{tailNs: nsAt('tailNs'), tailWaitedNs: nsAt('tailWaitedNs')},
    device: text(fields['device']),
  };
}

function sameOf(value: unknown): SameRecord | null {
  if (!isFields(value)) return null;
  if (typeof value['error'] === 'string') return {error: value['error']};
  return {structure: text(value['structure']), numbers: numbers(value['numbers']), digest: text(value['digest'])};
}

function surroundingsOf(fields: JsonFields): Surroundings {
  return {
    reads: texts(fields['reads']),
    outerReads: texts(fields['outerReads']),
    leftReads: texts(fields['leftReads']),
    profilers: texts(fields['profilers']),
    foreignCode: texts(fields['foreignCode']),
  };
}

function objectOf(value: unknown): JsonFields {
  return isFields(value) ? value : {};
}

function countsOf(value: unknown): ReadonlyMap<string, number> {
  return new Map(Object.entries(objectOf(value)).map(([key, of]) => [key, count(of)]));
}

function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

/** Numbers as JSON has them; "inf" and "nan" are texts there. */
function numbers(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.map(item => (typeof item === 'number' ? item : String(item).includes('inf') ? Infinity : NaN));
}
