import {resolve} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {commandName} from '../launch/python/command-name.js';
import {parseLaunchTemplate, type LaunchTemplate} from '../launch/command/launch-template.js';
import {canLaunch, isPythonScript, launchCommand, launchers} from '../launch/python/launchers.js';
import {profilers, type ProfileRequest} from '../launch/command/profile-request.js';
import {mayStartPython} from '../launch/python/may-start-python.js';
import {findPython} from '../launch/python/python-interpreter.js';
import {usualOutputFolder} from '../launch/run/run-folder.js';
import {readRegularFile} from '../launch/programs/regular-file.js';
import {searchPathOf} from '../launch/programs/search-path.js';
import {capturePattern} from '../launch/nsys/capture.js';
import {splitArguments} from '../launch/command/argument-text.js';
import {misusedOption, recordingOf, recordingOptions} from '../launch/command/recording-options.js';
import {oneOf, textOption, UsageError, type CommandOptions, type OptionValues} from './command.js';
import {runEnvironment} from './run-environment.js';

const recordingFlags: CommandOptions = Object.fromEntries(
  Object.values(recordingOptions).map(({option, form}) => [option, {type: form === null ? 'boolean' : 'string'}]),
);

/** The options of every command that runs and records. */
export const profileOptions: CommandOptions = {
  profiler: {type: 'string'},
  runs: {type: 'string'},
  capture: {type: 'string'},
  'nsys-options': {type: 'string'},
  python: {type: 'string'},
  ...recordingFlags,
  launcher: {type: 'string'},
  'launch-template': {type: 'string'},
  ranks: {type: 'string'},
  nodes: {type: 'string'},
  output: {type: 'string', short: 'o'},
  root: {type: 'string'},
  name: {type: 'string'},
  label: {type: 'string'},
  messages: {type: 'string'},
};

/**
 * What a command line that records asks for.
 *
 * @param name the command of `gpu-lens`, for messages
 * @param command what stands behind `--`: a program with its arguments, or a Python script with its own
 * @throws UsageError; TraceError `launch/no-python`
 */
export async function profileRequest(
  name: string,
  command: readonly string[],
  options: OptionValues,
): Promise<ProfileRequest> {
  if (command.length === 0) throw new UsageError(`${name} needs a command, after "--".`);
  const misused = misusedOption(options);
  if (misused !== null) throw new UsageError(misused);
  const cwd = process.cwd();
  const setting = textOption(options['python']);
  const hints = {selected: null, setting, settingName: '--python', workspaceFolders: [cwd]};
  const started = isPythonScript(command[0] ?? '') ? [(await findPython(hints)).path, ...command] : command;
  const ranksOf = recordedRanks(options);
  const profiler = oneOf('profiler', options['profiler'], profilers, 'pytorch');
  const env = runEnvironment(setting);
  const runs = runsOf(options['runs']);
  const label = textOption(options['label']);
  return {
    profiler,
    name: textOption(options['name']) ?? commandName(started),
    ...(label !== null && {label}),
    command: launched(started, options),
    cwd,
    env,
    root: resolve(textOption(options['root']) ?? cwd),
    output: resolve(textOption(options['output']) ?? usualOutputFolder),
    timedRuns: profiler === 'nsys' ? (runs ?? (await usualTimedRuns(started, cwd, searchPathOf(env)))) : 0,
    recording: {...recordingOf(options), ...ranksOf},
    timesSteps: false,
    capture: captureOf(options['capture']),
    nsysOptions: splitArguments(textOption(options['nsys-options']) ?? ''),
    launchTemplate: await launchTemplateOf(textOption(options['launch-template'])),
  };
}

/** Without a launcher, `--ranks 0,3` names the ranks that are recorded, as `--record-ranks` does. */
function recordedRanks({ranks, launcher}: OptionValues): {readonly recordRanks?: string} {
  return (launcher === undefined || launcher === 'none') && isRankList(ranks) ? {recordRanks: ranks} : {};
}

/** One rank alone could be a number of ranks: `--record-ranks 0` says it. */
function isRankList(value: OptionValues[string]): value is string {
  return typeof value === 'string' && /^\d{1,6}(,\d{1,6})+$/.test(value);
}

/** The command as the launcher starts it, where one is named. @throws UsageError */
function launched(command: readonly string[], options: OptionValues): readonly string[] {
  const launcher = oneOf('launcher', options['launcher'], launchers, 'none');
  if (launcher === 'none' && options['ranks'] !== undefined && !isRankList(options['ranks'])) {
    throw new UsageError('--ranks needs --launcher torchrun or srun, which starts so many processes.');
  }
  if (launcher === 'none' && options['nodes'] !== undefined) {
    throw new UsageError('--nodes needs --launcher torchrun or srun, which starts processes there.');
  }
  if (!canLaunch(launcher, command)) {
    throw new UsageError(`--launcher ${launcher} starts a Python script or "python …"; not "${command[0] ?? ''}".`);
  }
  const size = {ranks: count('ranks', options, 1), nodes: count('nodes', options, 1)};
  return launchCommand(launcher, size, command, process.env);
}

/**
 * The template that the option gives: its JSON, or the path of a file with it.
 *
 * @throws TraceError `launch/bad-template`
 */
async function launchTemplateOf(value: string | null): Promise<LaunchTemplate | null> {
  if (value === null) return null;
  if (value.trimStart().startsWith('{')) return parseLaunchTemplate(value);
  const text = await readRegularFile(resolve(value), async (file, bytes) =>
    bytes <= longestTemplateBytes ? await file.readFile('utf8') : null,
  );
  if (text === null) throw new TraceError('launch/bad-template', `The launch template ${value} cannot be read.`);
  return parseLaunchTemplate(text);
}

const longestTemplateBytes = 1 << 20;

/** @throws UsageError */
function captureOf(value: string | boolean | undefined): string {
  const capture = textOption(value) ?? 'run';
  if (capturePattern.test(capture)) return capture;
  throw new UsageError(`--capture takes run, steps, cudaProfilerApi or nvtx:RANGE; not "${capture}".`);
}

/** Returns how often a command is to be run; null if that is not said. @throws UsageError */
function runsOf(value: OptionValues[string]): number | null {
  const text = textOption(value);
  if (text === null) return null;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(`--runs takes a whole number, not "${text}".`);
}

/**
 * Returns how often a command is run under a timer if that is not said: a compiled program three times; what may be a
 * training takes long, and its steps are what is timed.
 */
async function usualTimedRuns(
  command: readonly string[],
  cwd: string,
  searchPath: string | undefined,
): Promise<number> {
  return (await mayStartPython(command, cwd, searchPath)) ? 0 : 3;
}

/** @throws UsageError */
function count(option: string, options: OptionValues, otherwise: number): number {
  const value = options[option];
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (typeof value === 'string' && /^\d{1,9}$/.test(value) && number >= 1) return number;
  throw new UsageError(`--${option} takes a whole number from 1 on, not "${String(value)}".`);
}
