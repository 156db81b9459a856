import {join} from 'node:path';
import {describeError, TraceError} from '../../core/errors.js';
import {launchers} from '../../launch/launchers.js';
import type {ProfileResult, RecordedProfile} from '../../launch/profile-result.js';
import {runProfile} from '../../launch/profile-run.js';
import {usualOutputFolder} from '../../launch/run-folder.js';
import {messagesFileName, writeRunMessage, type RunMessage} from '../../launch/run-messages.js';
import {textOption, type Command, type CommandContext, type OptionValues} from '../command.js';
import {environmentVariable, loadProfile} from '../load-trace.js';
import {nvtxTable} from '../nvtx-table.js';
import {profileRequest} from '../profile-request.js';
import {formatRows, type Column} from '../report.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens profile -- COMMAND …`: runs and records, as "Profile model step" does. */
export const profileCommand: Command = {
  name: 'profile',
  usage: `profile [--profiler pytorch|nsys] [--runs N] [--python PYTHON] [--warmup STEPS] [--active STEPS] [--step auto|train|infer|window|range:NAME]
      [--device auto|cpu] [--no-shapes] [--stack] [--memory] [--no-modules] [--lines] [--stop]
      [--capture run|steps|cudaProfilerApi|nvtx:RANGE] [--nsys-options OPTIONS]
      [--launcher ${launchers.join('|')}] [--ranks N] [--output FOLDER] -- COMMAND …`,
  summary: `runs a command unmodified, and writes the paths of the profiles that it recorded, one a line.
      COMMAND is a program (python train.py, bash run.sh, torchrun …) or a Python script. Profiles are kept in
      FOLDER (${usualOutputFolder}). Ctrl+C ends everything that the command started, and keeps what was recorded.`,
  options: {
    profiler: {type: 'string'},
    runs: {type: 'string'},
    capture: {type: 'string'},
    'nsys-options': {type: 'string'},
    python: {type: 'string'},
    warmup: {type: 'string'},
    active: {type: 'string'},
    step: {type: 'string'},
    device: {type: 'string'},
    'no-shapes': {type: 'boolean'},
    stack: {type: 'boolean'},
    memory: {type: 'boolean'},
    'no-modules': {type: 'boolean'},
    lines: {type: 'boolean'},
    stop: {type: 'boolean'},
    launcher: {type: 'string'},
    ranks: {type: 'string'},
    output: {type: 'string', short: 'o'},
    root: {type: 'string'},
    name: {type: 'string'},
    messages: {type: 'string'},
  },
  async run(context, command, options) {
    const tell = messenger(context, options['messages']);
    // An editor is told also why its task's command line makes no sense.
    const result = await runToEnd(command, options, tell).catch((error: unknown) => {
      const sentences = [describeError(error, 'launch/not-started').message];
      tell({
        message: 'ended',
        result: {profiles: [], status: null, isCancelled: false, sentences, notes: [], tail: []},
      });
      throw error;
    });
    tell({message: 'ended', result});
    context.write(outputOf(result.profiles, context));
    // A failure of what is shown besides is none of the run.
    for (const {path} of result.profiles.filter(({kind}) => kind === 'nsys')) {
      await tellOfReport(path, context).catch(() => undefined);
    }
    report(result, context);
  },
};

/** Its NVTX ranges with mean and deviation, and what a person must know who expected more in it. */
async function tellOfReport(path: string, context: CommandContext): Promise<void> {
  const profile = await loadProfile(path);
  process.stderr.write(await nvtxTable(profile));
  const important = new Set(['processes/forked', 'gpu/none']);
  for (const {code, text} of profile.trace.notes) if (important.has(code)) context.tell(`Note: ${text}`);
}

async function runToEnd(
  command: readonly string[],
  options: OptionValues,
  tell: (message: RunMessage) => void,
): Promise<ProfileResult> {
  const request = await profileRequest(command, options);
  return untilStopped((signal, abandon) => {
    const surroundings = {
      runner: join(__dirname, '..', 'src', 'runner'),
      python: textOption(options['python']),
      nsys: {setting: environmentVariable('GPU_LENS_NSYS'), settingName: 'GPU_LENS_NSYS'},
      // An editor's terminal shows both streams; elsewhere standard output is for the paths.
      stdout: typeof options['messages'] === 'string' ? 'inherit' : 'stderr',
      signal,
      abandon,
      onProgress: (progress: string) => {
        tell({message: 'progress', text: progress});
      },
    } as const;
    return runProfile(request, surroundings, folder => {
      tell({message: 'began', name: request.name, folder});
    });
  });
}

/** Tells an editor in its file, or people on standard error. */
function messenger(context: CommandContext, folder: string | boolean | undefined): (message: RunMessage) => void {
  if (typeof folder === 'string') {
    const file = join(folder, messagesFileName(process.pid));
    return message => {
      writeRunMessage(file, message);
    };
  }
  return message => {
    if (message.message === 'progress') context.tellProgress(`gpu-lens: ${message.text}`);
  };
}

/** The paths alone, one a line, where no other format was asked for. */
function outputOf(profiles: readonly RecordedProfile[], {format}: CommandContext): string {
  return format === 'table' ? profiles.map(({path}) => `${path}\n`).join('') : formatRows(profiles, columns, format);
}

const columns: readonly Column<RecordedProfile>[] = [
  {key: 'path', title: 'Path', value: ({path}) => path},
  {key: 'kind', title: 'Kind', value: ({kind}) => kind},
  {key: 'steps', title: 'Steps', value: ({steps}) => steps},
  {key: 'rank', title: 'Rank', value: ({rank}) => rank},
];

/** @throws TraceError `launch/failed` where the command failed or nothing was recorded */
function report({status, profiles, isCancelled, sentences, notes}: ProfileResult, context: CommandContext): void {
  const all = sentences.join(' ');
  if (status !== 0 || isCancelled || profiles.length === 0) {
    throw new TraceError('launch/failed', all === '' ? 'The run was cancelled.' : all);
  }
  for (const sentence of [...sentences, ...notes]) context.tell(`Note: ${sentence}`);
}
