import {isCount, isFields, parseJsonLine, type JsonFields} from '../base/read-json.js';

/** The work of a process of a run, as recorded by `src/runner/gpulens_proof`. */
export interface ProcessRecord {
  readonly work: WorkRecord | null;
  readonly clock: StepClock | null;
  readonly same: SameRecord | null;
  /** Its process id; null if not recorded. */
  readonly pid: number | null;
  /** The time of the import of torch; null if there was none. */
  readonly importNs: number | null;
  /** How long it only waited for a processor used by other programs, outside that import; null if unknown. */
  readonly waitedNs: number | null;
  readonly surroundings: Surroundings;
}

export const stepKinds = ['train', 'backward', 'infer'] as const;
/** What ends a step: an optimizer's step, a backward pass, or a call of an outermost module. */
export type StepKind = (typeof stepKinds)[number];

/** A detailed record of what a process did with torch. */
export interface WorkRecord {
  /** Whether the script asks torch.compile for code. */
  readonly compiles: boolean;
  readonly counts: Readonly<Record<StepKind, number>>;
  readonly losses: readonly number[];
  /** Types and shapes of the inputs of outermost modules → number of calls. */
  readonly shapes: ReadonlyMap<string, number>;
  readonly inputElements: number;
  readonly dtypes: readonly string[];
  readonly modes: readonly string[];
  /** Data type → floating-point operations; null if they could not be counted. */
  readonly flops: ReadonlyMap<string, number> | null;
  readonly precision: string;
  readonly outputs: {readonly digest: string; readonly norm: number};
  readonly parameters: {readonly digest: string; readonly norms: readonly number[]; readonly count: number};
  readonly device: string;
}

/** The clock of a timed run. */
export interface StepClock {
  readonly count: number;
  readonly stepsNs: number | null;
  /**
   * The part of it in which the script only waited for a processor used by other programs; null if unknown, or if other
   * work of its own may have used it.
   */
  readonly waitedNs: number | null;
  /** From the last step to the end of the process. */
  readonly tailNs: number | null;
  /** The part of that in which the process waited for a processor; null if unknown. */
  readonly tailWaitedNs: number | null;
  readonly device: string;
}

/** The result of the user's function. */
export type SameRecord =
  {readonly error: string} | {readonly structure: string; readonly numbers: readonly number[]; readonly digest: string};

export interface Surroundings {
  /** Files in the run's own folders. */
  readonly reads: readonly string[];
  /** Files outside them, except those of an installed Python. */
  readonly outerReads: readonly string[];
  /** Files written after both commits were checked out and before this process. */
  readonly leftReads: readonly string[];
  readonly profilers: readonly string[];
  /** Files of the user's own checkout that ran. */
  readonly foreignCode: readonly string[];
}

/** Parses the record that a process of the user's wrote; null if it is not one. */
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
    compiles: fields['compiles'] === true,
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

/** Parses numbers in JSON, where "inf" and "nan" are texts. */
function numbers(value: unknown): readonly number[] {
  if (!Array.isArray(value)) return [];
  return value.map(item => (typeof item === 'number' ? item : String(item).includes('inf') ? Infinity : NaN));
}
