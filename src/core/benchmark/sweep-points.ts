import {maskSecrets} from '../format/mask-secrets.js';
import {badConfig} from './config-fields.js';
import {commandCount, expandCommand} from './command-matrix.js';
import type {ModelSize} from './model-sizes.js';
import type {Pass, Precision, SweepConfig} from './sweep-config.js';

/** One point of a sweep. A property is null if the sweep does not vary it and the target does not receive it. */
export interface SweepPoint {
  readonly target: 'reference' | 'callable' | 'command';
  /** The name of one of several commands, null if there is only one. */
  readonly variant: string | null;
  /** The measured thing for display: the size's name, the callable's, or a command's values of its lists. */
  readonly label: string;
  readonly function: string | null;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly size: ModelSize | null;
  readonly contextLength: number | null;
  readonly batch: number | null;
  readonly pass: Pass | null;
  readonly precision: Precision | null;
  readonly device: string | null;
  readonly compile: boolean | null;
}

/** More would take months. */
const mostPoints = 10_000;

/**
 * Returns every point of a sweep, in the order of measurement: sizes outermost, then context lengths, batches, devices,
 * compile, precisions, passes; commands by name, environment, arguments.
 *
 * @throws TraceError `bench/bad-config` for more than 10,000
 */
export function sweepPoints(config: SweepConfig): SweepPoint[] {
  const {target} = config;
  checkCount(config);
  const environments = expandEnvironment(config.environment);
  const blank = {function: null, variant: null, command: [], environment: {}};
  if (target.kind !== 'command') {
    const own = target.kind === 'callable' ? {...blank, function: target.function} : blank;
    return modelPoints(config).flatMap(point =>
      environments.map(({values, label}) => {
        const size = point.size?.name;
        const name = [size ?? own.function, label].filter(text => text !== null && text !== '').join(' ');
        return {target: target.kind, ...own, environment: values, ...point, label: name};
      }),
    );
  }
  const empty = {
    size: null,
    contextLength: null,
    batch: null,
    pass: null,
    precision: null,
    device: null,
    compile: null,
  };
  return Object.entries(target.commands).flatMap(([name, command]) =>
    environments.flatMap(({values, label: variables}) =>
      expandCommand(command).map(({args, label}) => {
        const varied = [variables, label].filter(text => text !== '').join(' ');
        return {
          ...blank,
          ...empty,
          target: 'command' as const,
          variant: name === '' ? null : name,
          label: varied === '' && name === '' ? maskSecrets(args).join(' ') : varied,
          command: args,
          environment: values,
        };
      }),
    ),
  );
}

type Axis = 'size' | 'contextLength' | 'batch' | 'device' | 'compile' | 'precision' | 'pass';
type ModelPoint = Pick<SweepPoint, Axis>;

function modelPoints(config: SweepConfig): ModelPoint[] {
  let points: Partial<ModelPoint>[] = [{}];
  for (const [axis, values] of axisValues(config)) {
    const all = values.length === 0 ? [null] : values;
    points = points.flatMap(point => all.map(value => ({...point, [axis]: value})));
  }
  return points as ModelPoint[];
}

function axisValues(config: SweepConfig): [Axis, readonly unknown[]][] {
  return [
    ['size', config.sizes],
    ['contextLength', config.contextLengths],
    ['batch', config.batches],
    ['device', config.devices],
    ['compile', config.compile],
    ['precision', config.precisions],
    ['pass', config.passes],
  ];
}

/** Returns the combinations of variables; the label names those with several values. */
function expandEnvironment(
  environment: SweepConfig['environment'],
): {readonly values: Record<string, string>; readonly label: string}[] {
  let all: {values: Record<string, string>; label: string}[] = [{values: {}, label: ''}];
  for (const [name, values] of Object.entries(environment)) {
    all = all.flatMap(one =>
      values.map(value => ({
        values: {...one.values, [name]: value},
        label: values.length > 1 ? `${one.label} ${name}=${value}`.trim() : one.label,
      })),
    );
  }
  return all;
}

/** Counts the points before creating them: combinations of lists can exceed memory. */
function checkCount(config: SweepConfig): void {
  const lengths = [...axisValues(config), ...Object.entries(config.environment)].map(([, {length}]) => length);
  const {target} = config;
  const commas = target.kind === 'command' ? Object.values(target.commands).map(commandCount) : [1];
  const ofCommands = commas.reduce((sum, count) => sum + count, 0);
  const count = lengths.reduce((product, length) => product * Math.max(1, length), ofCommands);
  if (count > mostPoints) throw badConfig(`The sweep has more than ${String(mostPoints)} points: vary less at once.`);
}
