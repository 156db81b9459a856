import {commandName, lastPart} from '../python/command-name.js';
import {isFields, type JsonFields} from '../../core/base/read-json.js';
import {heededValues, readRecordingValues, recordingArguments, type RecordingValues} from './recording-options.js';

/**
 * A task of the type `gpu-lens`, as in tasks.json: what to run and how to record it. Every run of the editor has a
 * definition, whatever started it. package.json describes each member.
 */
export interface ProfileDefinition extends RecordingValues {
  readonly type: 'gpu-lens';
  /** Exactly one of these three says what to run. */
  readonly script?: string;
  readonly module?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file with more variables, read when the run begins; those of `env` take precedence. */
  readonly envFile?: string;
  readonly python?: string;
  readonly profiler?: string;
  readonly capture?: string;
  readonly nsysOptions?: string;
  readonly launcher?: string;
  readonly ranks?: number;
  readonly nodes?: number;
  readonly runs?: number;
  readonly output?: string;
  /** How the command is run at another place; checked when the run begins. @see LaunchTemplate */
  readonly launchTemplate?: JsonFields;
}

export const taskType = 'gpu-lens' as const;

/** The `profiler` value that compares all profilers, and the command-line command of the same name. */
export const crossChecker = 'cross-check' as const;

const textMembers = [
  ...['script', 'module', 'command', 'cwd', 'envFile', 'python', 'profiler', 'launcher', 'output'],
  ...['capture', 'nsysOptions'],
] as const;
const countMembers = ['ranks', 'nodes', 'runs'] as const;

/** Returns the definition in an untrusted value; members of the wrong type are dropped. */
export function readDefinition(value: unknown): ProfileDefinition {
  const fields = isFields(value) ? value : {};
  const found: Record<string, unknown> = {};
  for (const name of textMembers)
    if (typeof fields[name] === 'string' && fields[name] !== '') found[name] = fields[name];
  const {args, env, launchTemplate} = fields;
  for (const name of countMembers) if (Number.isSafeInteger(fields[name])) found[name] = fields[name];
  if (Array.isArray(args)) found['args'] = args.filter(argument => typeof argument === 'string');
  if (isFields(env)) found['env'] = textsOf(env);
  if (isFields(launchTemplate)) found['launchTemplate'] = launchTemplate;
  return {type: taskType, ...found, ...readRecordingValues(fields)};
}

/** Returns the display name of a definition: the name of its script, module or program. */
export function definitionName({script, module, command, args = []}: ProfileDefinition): string {
  if (script !== undefined) return lastPart(script);
  return module ?? commandName([command ?? '', ...args]);
}

/** What the editor adds to a definition. */
export interface DefinitionContext {
  /** The interpreter of scripts and modules if the definition names none. */
  readonly python: string;
  /** The values of the settings, used where the definition sets none. */
  readonly recording: RecordingValues;
  readonly profiler: string;
  /** What nsys captures; undefined for the command line's default. */
  readonly capture?: string | undefined;
  readonly nsysOptions?: string | undefined;
  readonly output: string;
  /** The template for scripts under the PyTorch profiler if the definition has none; null for none. */
  readonly launchTemplate: JsonFields | null;
}

/** Returns the arguments of `gpu-lens profile` that carry out a definition. */
export function definitionArguments(definition: ProfileDefinition, context: DefinitionContext): string[] {
  const python = definition.python ?? context.python;
  const profiler = definition.profiler ?? context.profiler;
  const capture = definition.capture ?? (profiler === 'nsys' ? context.capture : undefined);
  const options: readonly (readonly [string, string | number | undefined])[] = [
    ['--name', definitionName(definition)],
    ['--python', python],
    ['--profiler', profiler === crossChecker ? undefined : profiler],
    ['--capture', capture],
    ['--nsys-options', definition.nsysOptions ?? (profiler === 'pytorch' ? undefined : context.nsysOptions)],
    ['--runs', definition.runs],
    ['--launcher', definition.launcher],
    ['--ranks', definition.ranks],
    ['--nodes', definition.nodes],
    ['--output', definition.output ?? context.output],
    ['--launch-template', launchTemplateText(definition, context, profiler)],
  ];
  return [
    // With "=", so that a value may begin with a dash.
    ...options.flatMap(([option, value]) => (value === undefined ? [] : [`${option}=${String(value)}`])),
    // Settings apply to both profilers, so those without effect are dropped. A definition's own options stay, so that
    // the user learns which have no effect.
    ...recordingArguments({...heededValues(context.recording, profiler, capture), ...definition}),
    '--',
    ...commandOf(definition, python),
  ];
}

/** Returns the template as JSON. The setting applies only to the PyTorch profiler. */
function launchTemplateText(
  {launchTemplate}: ProfileDefinition,
  context: DefinitionContext,
  profiler: string,
): string | undefined {
  const template = launchTemplate ?? (profiler === 'pytorch' ? context.launchTemplate : null);
  return template === null ? undefined : JSON.stringify(template);
}

function commandOf({script, module, command, args = []}: ProfileDefinition, python: string): readonly string[] {
  if (script !== undefined) return [python, script, ...args];
  if (module !== undefined) return [python, '-m', module, ...args];
  if (command === undefined) return [];
  return [command, ...args];
}

function textsOf(fields: JsonFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
