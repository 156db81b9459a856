import {isAbsolute, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isFields, type JsonFields} from '../../core/base/read-json.js';
import {splitArguments} from './argument-text.js';
import {taskType, type ProfileDefinition} from './profile-definition.js';
import {editorVariables, leftVariable, substituteVariables, type VariableValues} from './variables.js';

/** A launch configuration that can be run without its debugger. */
export interface LaunchChoice {
  readonly definition: ProfileDefinition;
  /** The task that must run first. */
  readonly preLaunchTask: string | null;
}

const pythonTypes = new Set(['debugpy', 'python']);
/** Debugger types of native executables. */
const nativeTypes = new Set(['cppdbg', 'cppvsdbg', 'lldb', 'lldb-dap', 'cuda-gdb', 'gdb']);

/** Returns whether a configuration starts something that can be profiled: a Python program or module, or an executable. */
export function canProfile(configuration: unknown): configuration is JsonFields {
  if (!isFields(configuration) || configuration['request'] !== 'launch') return false;
  const {type, program, module} = configuration;
  if (typeof type !== 'string') return false;
  if (pythonTypes.has(type)) return isText(program) || isText(module);
  return nativeTypes.has(type) && isText(program);
}

/**
 * Returns what a configuration runs, with its variables substituted. Environment variables in its `env` stay, because
 * the definition is saved and logged.
 *
 * @throws TraceError `launch/not-started` if a variable is left that only the debugger can ask for, or that has no
 * value
 * here
 */
export function readLaunchConfiguration(configuration: JsonFields, values: VariableValues): LaunchChoice {
  const name = String(configuration['name']);
  const fill = (text: string, from = values): string => {
    const filled = substituteVariables(text, from);
    refuse(name, leftVariable(filled));
    return filled;
  };
  const fillPath = (text: string): string => {
    const filled = fill(text);
    refuse(name, /\$\{[^}]*\}/.exec(filled)?.[0] ?? null);
    return filled;
  };
  const member = (key: string) => (isText(configuration[key]) ? fillPath(configuration[key]) : undefined);
  const inWorkspace = (path: string | undefined) =>
    path === undefined || isAbsolute(path) ? path : join(values.workspaceFolder, path);
  const isPythonType = pythonTypes.has(String(configuration['type']));
  const program = inWorkspace(member('program'));
  const module = member('module');
  const envFile = inWorkspace(member('envFile'));
  const python = isPythonType ? interpreterOf(configuration, fillPath) : undefined;
  const cwd = inWorkspace(member('cwd')) ?? values.workspaceFolder;
  return {
    definition: {
      type: taskType,
      ...(isPythonType && module !== undefined
        ? {module}
        : isPythonType
          ? {script: program}
          : {command: program, profiler: 'nsys'}),
      args: argumentsOf(configuration['args']).map(one => fill(one)),
      cwd,
      env: mapTexts(environmentOf(configuration), text => fill(text, {...values, env: null})),
      ...(envFile !== undefined && {envFile}),
      ...(python !== undefined && {python}),
    } as ProfileDefinition,
    preLaunchTask: isText(configuration['preLaunchTask']) ? configuration['preLaunchTask'] : null,
  };
}

/** Returns the variables that only the editor can resolve in the members read from a configuration, each once. */
export function variablesToAsk(configuration: JsonFields): string[] {
  const {program, module, args, cwd, env, environment, envFile} = configuration;
  const texts = JSON.stringify([program, module, args, cwd, env, environment, envFile]);
  return [...new Set(editorVariables(texts))];
}

/** @param left a variable without a value, null for none @throws TraceError `launch/not-started` */
function refuse(name: string, left: string | null): void {
  if (left === null) return;
  const why = left.startsWith('${input:') ? 'which only the debugger can' : 'which has no value here';
  throw new TraceError(
    'launch/not-started',
    `The launch configuration “${name}” asks for ${left}, ${why}: write a value in its place.`,
  );
}

/**
 * Returns `python` (a path, or a list that begins with one) or `pythonPath`, unless it refers to the selected
 * interpreter.
 */
function interpreterOf({python, pythonPath}: JsonFields, fill: (text: string) => string): string | undefined {
  const [named] = [python, pythonPath].flat().filter(isText);
  return named === undefined || named.startsWith('${command:python') ? undefined : fill(named);
}

/** Accepts a list, or one text as on a command line. */
function argumentsOf(value: unknown): string[] {
  if (isText(value)) return splitArguments(value);
  return Array.isArray(value)
    ? value.filter(one => typeof one === 'string' || typeof one === 'number').map(String)
    : [];
}

/** Reads `env` of Python debuggers and `environment` of C++ debuggers. */
function environmentOf({env, environment}: JsonFields): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of isFields(env) ? Object.entries(env) : []) {
    if (typeof value === 'string' || typeof value === 'number') found[name] = String(value);
  }
  for (const pair of Array.isArray(environment) ? environment : []) {
    if (isFields(pair) && isText(pair['name']) && typeof pair['value'] === 'string')
      found[pair['name']] = pair['value'];
  }
  return found;
}

function mapTexts(texts: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
