import {isCount} from '../base/read-json.js';
import {ConfigFields, badConfig} from './config-fields.js';
import {modelSizes, type ModelSize} from './model-sizes.js';
import {passes, precisions, type SweepConfig, type SweepTarget} from './sweep-config.js';

/**
 * Parses the sweep in a JSON value; docs/benchmarks.md lists its fields.
 *
 * @param name the sweep's name if it has none of its own
 * @throws TraceError `bench/bad-config` with one sentence that names the field
 */
export function parseSweepConfig(value: unknown, name: string): SweepConfig {
  const fields = new ConfigFields(value, 'The sweep');
  const target = readTarget(fields);
  const isReference = target.kind === 'reference';
  /** The reference model needs a value of each axis; other targets get only the given ones. */
  const usual = <Value>(...values: Value[]) => (isReference ? values : []);
  const isCommand = target.kind === 'command';
  const config: SweepConfig = {
    name: fields.text('name') ?? name,
    target,
    sizes: fields.list('sizes', usual(modelSizes[0]), `a list of sizes: ${sizeNames()}, or shapes`, readSize),
    contextLengths: fields.list('contextLengths', usual(128), 'a list of whole numbers', readCount),
    batches: fields.list('batches', usual(4), 'a list of whole numbers', readCount),
    passes: fields.list('passes', usual(...passes), `a list of ${passes.join(', ')}`, oneOf(passes)),
    precisions: fields.list('precisions', usual('fp32'), `a list of ${precisions.join(', ')}`, oneOf(precisions)),
    compile: fields.list('compile', usual(false), 'a list of true, false', one =>
      typeof one === 'boolean' ? one : null,
    ),
    devices: fields.list('devices', isCommand ? [] : ['auto'], 'a list of auto, cpu, cuda, cuda:1, mps', readDevice),
    environment: readEnvironment(fields),
    vocabulary: fields.count('vocabulary', 10_000),
    threads: fields.has('threads') ? fields.count('threads', 1) : null,
    warmupSteps: fields.count('warmupSteps', isCommand ? 1 : 5, 0),
    steps: fields.count('steps', isCommand ? 3 : 10),
    timeLimitSeconds: Math.min(fields.count('timeLimitSeconds', 900), longestSeconds),
    python: fields.text('python'),
  };
  fields.end();
  if (isCommand) {
    const modelAxis = modelAxes.find(axis => config[axis].length > 0);
    if (modelAxis)
      throw badConfig(`A command has no "${modelAxis}": write what it varies into its arguments, as {1,2,4}.`);
  }
  return config;
}

/** Timers cannot count beyond 24 days. */
const longestSeconds = 2_000_000;

const modelAxes = ['sizes', 'contextLengths', 'batches', 'passes', 'precisions', 'compile', 'devices'] as const;

function readTarget(fields: ConfigFields): SweepTarget {
  const name = fields.text('callable');
  const given = ['callable', 'command', 'commands'].filter(key => fields.has(key));
  if (given.length > 1) throw badConfig(`The sweep has both "${given[0]}" and "${given[1]}": one of them is measured.`);
  if (name !== null) {
    if (!/^[^:].*:[\w.]+$/s.test(name)) throw fields.bad('callable', 'module:function or path/to/file.py:function');
    return {kind: 'callable', function: name};
  }
  if (fields.has('command')) return {kind: 'command', commands: {'': readCommand(fields.get('command'), 'command')}};
  if (!fields.has('commands')) return {kind: 'reference'};
  const commands = fields.get('commands');
  const named = new ConfigFields(commands, '"commands"');
  const names = Object.keys(commands as object);
  if (names.length === 0) throw fields.bad('commands', 'an object of commands by name');
  return {kind: 'command', commands: Object.fromEntries(names.map(key => [key, readCommand(named.get(key), key)]))};
}

function readCommand(value: unknown, key: string): readonly string[] {
  const isArguments = Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string');
  if (!isArguments || value[0] === '')
    throw badConfig(`"${key}" must be a list of texts: a program and its arguments.`);
  return value;
}

function readEnvironment(fields: ConfigFields): SweepConfig['environment'] {
  if (!fields.has('environment')) return {};
  const value = fields.get('environment');
  const variables = new ConfigFields(value, '"environment"');
  return Object.fromEntries(
    Object.keys(value as object).map(name => {
      if (!/^[^=\0]+$/.test(name)) throw badConfig(`"environment" has "${name}", which is not the name of a variable.`);
      return [name, variables.list(name, [], 'a text or a list of texts', readVariable)];
    }),
  );
}

function readVariable(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && !value.includes('\0') ? value : null;
}

function readSize(value: unknown): ModelSize | null {
  if (typeof value === 'string') return modelSizes.find(({name}) => name === value) ?? null;
  const shape = new ConfigFields(value, 'A size');
  const size = {
    name: shape.text('name') ?? '',
    dModel: shape.count('dModel', 0),
    dFf: shape.count('dFf', 0),
    layers: shape.count('layers', 0),
    heads: shape.count('heads', 0),
  };
  shape.end();
  if (size.name === '' || Object.values(size).includes(0)) {
    throw badConfig('A size needs "name", "dModel", "dFf", "layers" and "heads".');
  }
  if (size.dModel % (2 * size.heads) !== 0) {
    throw badConfig(`The size "${size.name}" needs a dModel that is an even number of elements for each of its heads.`);
  }
  return size;
}

function readCount(value: unknown): number | null {
  return isCount(value, 1) ? value : null;
}

function readDevice(value: unknown): string | null {
  return typeof value === 'string' && /^(auto|(cpu|cuda|mps)(:\d{1,3})?)$/.test(value) ? value : null;
}

function oneOf<Word extends string>(words: readonly Word[]): (value: unknown) => Word | null {
  return value => words.find(word => word === value) ?? null;
}

function sizeNames(): string {
  return modelSizes.map(({name}) => name).join(', ');
}
