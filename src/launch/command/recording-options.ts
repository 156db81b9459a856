import type {JsonFields} from '../../core/base/read-json.js';

/** How a value is written, and which values are valid. */
interface Form {
  /** The accepted values, as shown to the user. */
  readonly takes: string;
  readonly pattern: RegExp;
}

/** One option of a recording. */
interface RecordingOption {
  /** Its name on the command line, and for the runner. */
  readonly option: string;
  /** The type of the task's property. */
  readonly type: 'integer' | 'number' | 'string' | 'boolean';
  /** How the option's value is written; null if the bare option sets a boolean property to `when`. */
  readonly form: Form | null;
  readonly when?: boolean;
  /** The runner's arguments for the option, if they differ. */
  readonly runner?: readonly string[];
}

const countFromOne: Form = {takes: 'a whole number from 1 on', pattern: /^(?!0+$)\d{1,9}$/};
const countFromZero: Form = {takes: 'a whole number', pattern: /^\d{1,9}$/};
const seconds: Form = {takes: 'a number of seconds', pattern: /^\d{1,9}(\.\d+)?$/};
const rankList: Form = {takes: 'ranks, as in 0,3', pattern: /^\d{1,6}(,\d{1,6})*$/};
/** What to record: the activity of the devices in use, or no GPU activity. */
const device: Form = {takes: 'auto, cpu', pattern: /^(auto|cpu)$/};

/**
 * The options of a recording, keyed by the task's property. The command line and the runner take the same options and
 * use the defaults for those not given.
 */
export const recordingOptions = {
  warmup: {option: 'warmup', type: 'integer', form: countFromOne},
  prewarm: {option: 'prewarm', type: 'integer', form: countFromZero},
  active: {option: 'active', type: 'integer', form: countFromOne},
  step: {
    option: 'step',
    type: 'string',
    form: {
      takes: 'auto, train, infer, window, range:NAME or FILE:LINE',
      pattern: /^(auto|train|infer|window|range:.+|(?!range:).+:\d+)$/s,
    },
  },
  windowDelaySeconds: {option: 'window-delay', type: 'number', form: seconds},
  windowSeconds: {option: 'window', type: 'number', form: seconds},
  stepLimitSeconds: {option: 'step-limit', type: 'number', form: seconds},
  device: {option: 'device', type: 'string', form: device},
  shapes: {option: 'no-shapes', type: 'boolean', form: null, when: false},
  stacks: {option: 'stack', type: 'boolean', form: null, when: true},
  memory: {option: 'memory', type: 'boolean', form: null, when: true},
  memoryHistory: {option: 'memory-history', type: 'boolean', form: null, when: true},
  modules: {option: 'no-modules', type: 'boolean', form: null, when: false},
  automatic: {option: 'automatic', type: 'string', form: {takes: 'on or off', pattern: /^(on|off)$/}},
  sites: {option: 'no-sites', type: 'boolean', form: null, when: false},
  lines: {option: 'lines', type: 'boolean', form: null, when: true},
  costs: {option: 'costs', type: 'boolean', form: null, when: true},
  skip: {option: 'skip', type: 'integer', form: countFromZero},
  every: {option: 'every', type: 'integer', form: countFromOne},
  times: {option: 'times', type: 'integer', form: countFromOne, runner: ['--recordings']},
  recordRanks: {option: 'record-ranks', type: 'string', form: rankList},
  idle: {option: 'idle', type: 'boolean', form: null, when: true},
  stop: {option: 'stop', type: 'boolean', form: null, when: true, runner: ['--after', 'stop']},
  graceSeconds: {option: 'grace', type: 'number', form: seconds},
  keepRunning: {option: 'keep-running', type: 'boolean', form: null, when: true},
  stopWaitSeconds: {option: 'stop-wait', type: 'number', form: seconds},
} as const satisfies Readonly<Record<string, RecordingOption>>;

type Table = typeof recordingOptions;
type TypeOf<Name> = Name extends 'boolean' ? boolean : Name extends 'string' ? string : number;

/** Values of recording options; absent ones use the defaults. */
export type RecordingValues = {readonly [Member in keyof Table]?: TypeOf<Table[Member]['type']>};

/** The options of a command line, by name. */
type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

const rows: readonly (readonly [string, RecordingOption])[] = Object.entries(recordingOptions);

/** Returns the members of an object that have the right type. The command line checks whether the values are valid. */
export function readRecordingValues(fields: JsonFields): RecordingValues {
  const found: Record<string, unknown> = {};
  for (const [member, {type}] of rows) if (isOf(fields[member], type)) found[member] = fields[member];
  return found;
}

/** Returns the equivalent options of `gpu-lens profile`, with "=", so that a value may begin with a dash. */
export function recordingArguments(values: RecordingValues): string[] {
  return argumentsOf(values, ({option}, value) => [value === null ? `--${option}` : `--${option}=${value}`]);
}

/** Returns the equivalent options of the runner. */
export function runnerArguments(values: RecordingValues): string[] {
  return argumentsOf(values, ({option, runner}, value) => [
    ...(runner ?? [`--${option}`]),
    ...(value === null ? [] : [value]),
  ]);
}

/** Returns the first problem with a command line's options, in a sentence; null if there is none. */
export function misusedOption(given: GivenOptions): string | null {
  for (const [, {option, form}] of rows) {
    const value = given[option];
    if (form !== null && value !== undefined && !form.pattern.test(String(value))) {
      return `--${option} takes ${form.takes}; not "${String(value)}".`;
    }
  }
  return misusedSchedule(given);
}

/** Reports a schedule that cannot be followed. */
function misusedSchedule({every, times, idle, skip}: GivenOptions): string | null {
  if (times !== undefined && every === undefined)
    return '--times needs --every, the number of steps between two recordings.';
  if (every !== undefined && times === undefined) return '--every needs --times, the number of recordings.';
  if (idle === true && (every !== undefined || skip !== undefined)) {
    return '--idle waits for gpu-lens trigger: leave out --skip, --every and --times.';
  }
  return null;
}

/** What nsys uses when it captures steps; all other options are for the PyTorch profiler. */
const nsysMembers: ReadonlySet<string> = new Set(['warmup', 'active', 'step', 'stop'] satisfies (keyof Table)[]);
const nsysOptions = ['capture', 'nsys-options'] as const;

/** Returns the values that have an effect under a profiler. @param capture what nsys captures */
export function heededValues(values: RecordingValues, profiler: string, capture: string | undefined): RecordingValues {
  if (profiler !== 'nsys') return values;
  return Object.fromEntries(
    Object.entries(values).filter(([member]) => capture === 'steps' && nsysMembers.has(member)),
  );
}

/** Returns a sentence about an option that has no effect, so that the user does not rely on it; null if all have one. */
export function idleOption(given: GivenOptions, profiler: string): string | null {
  const isGiven = (option: string) => given[option] !== undefined && given[option] !== false;
  if (profiler === 'nsys' && isGiven('launch-template')) return '--launch-template has no effect with --profiler nsys.';
  if (profiler !== 'nsys') {
    const idle = nsysOptions.find(isGiven);
    return idle === undefined ? null : `--${idle} has no effect without --profiler nsys.`;
  }
  const heeds = (member: string) => given['capture'] === 'steps' && nsysMembers.has(member);
  const [member, row] = rows.find(([name, {option}]) => isGiven(option) && !heeds(name)) ?? [];
  if (member === undefined || row === undefined) return null;
  return `--${row.option} has no effect with --profiler nsys${nsysMembers.has(member) ? ' but with --capture steps' : ''}.`;
}

/** Returns the recording values of a command line's options, which must be valid. */
export function recordingOf(given: GivenOptions): RecordingValues {
  const found: Record<string, unknown> = {};
  for (const [member, {option, type, form, when}] of rows) {
    const value = given[option];
    if (value === undefined || value === false) continue;
    if (form === null) found[member] = when;
    else found[member] = type === 'string' ? value : Number(value);
  }
  return found;
}

function argumentsOf(
  values: RecordingValues,
  write: (row: RecordingOption, value: string | null) => readonly string[],
): string[] {
  const said: Readonly<Record<string, string | number | boolean | undefined>> = values;
  return rows.flatMap(([member, row]) => {
    const value = said[member];
    if (row.form === null) return value === row.when ? write(row, null) : [];
    return value === undefined ? [] : write(row, String(value));
  });
}

function isOf(value: unknown, type: RecordingOption['type']): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type && value !== '';
}
