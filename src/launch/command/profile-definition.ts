import {commandName, lastPart} from '../python/command-name.js';
import {isFields, type JsonFields} from '../../core/base/read-json.js';
import {heededValues, readRecordingValues, recordingArguments, type RecordingValues} from './recording-options.js';

/**
 * A task of the type `gpu-lens`, as tasks.json has it: what to run, and how to record it. Every run of the editor is
 * one, whatever it was made from. package.json describes each member.
 */
export interface ProfileDefinition extends RecordingValues {
  readonly type: 'gpu-lens';
  /** Just one of these three names what is run. */
  readonly script?: string;
  readonly module?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file with more variables, which those of `env` win over; read when the run begins. */
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

/** What a definition names as its profiler that compares all of them; the command line's command of that name. */
export const crossChecker = 'cross-check' as const;

const textMembers = [
  ...['script', 'module', 'command', 'cwd', 'envFile', 'python', 'profiler', 'launcher', 'output'],
  ...['capture', 'nsysOptions'],
] as const;
const countMembers = ['ranks', 'nodes', 'runs'] as const;

/** What a definition says that anyone may have written; members of another type than they should have are left out. */
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

/** What people call it: the name of the script, module or program. */
export function definitionName({script, module, command, args = []}: ProfileDefinition): string {
  if (script !== undefined) return lastPart(script);
  return module ?? commandName([command ?? '', ...args]);
}

/** What the editor adds to a definition. */
export interface DefinitionContext {
  /** The interpreter of scripts and modules, where the definition names none. */
  readonly python: string;
  /** What the settings say, where the definition does not. */
  readonly recording: RecordingValues;
  readonly profiler: string;
  /** Under nsys; undefined for the command line's own. */
  readonly capture?: string | undefined;
  readonly nsysOptions?: string | undefined;
  readonly output: string;
  /** Of scripts under the PyTorch profiler, where the definition has none; null for none. */
  readonly launchTemplate: JsonFields | null;
}

/** The arguments of `gpu-lens profile` that do what a definition says. */
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
    // Settings are of both profilers; a definition says what it wants, and is told what has no effect.
    ...recordingArguments({...heededValues(context.recording, profiler, capture), ...definition}),
    '--',
    ...commandOf(definition, python),
  ];
}

/** The template as JSON; a setting is for what the PyTorch profiler records. */
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
