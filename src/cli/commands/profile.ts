import {randomUUID} from 'node:crypto';
import {describeError} from '../../core/base/errors.js';
import {launchers} from '../../launch/python/launchers.js';
import type {ProfileResult} from '../../launch/run/profile-result.js';
import type {ProfileRequest} from '../../launch/command/profile-request.js';
import {noteIdleRun} from '../../launch/run/idle-runs.js';
import {runProfile} from '../../launch/profile-run.js';
import {idleOption} from '../../launch/command/recording-options.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import type {RunMessage} from '../../launch/run/run-messages.js';
import {failurePlaces} from '../../launch/python/traceback.js';
import {oneOf, textOption, UsageError, type Command, type CommandContext, type OptionValues} from '../command.js';
import {loadProfile} from '../load-trace.js';
import {idleWithList, tellLoops} from '../loops-output.js';
import {nvtxTable} from '../nvtx-table.js';
import {profilesText, tellOutcome} from '../profile-report.js';
import {profileOptions, profileRequest} from '../profile-request.js';
import {recordedRuns, runRepeatedly} from '../repeat-run.js';
import {messenger, runSurroundings, tellFailure} from '../run-messenger.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens profile -- COMMAND …`: runs and records, as "Profile model step" does. */
export const profileCommand: Command = {
  name: 'profile',
  brief: 'Runs a command unmodified, and records some of its steps',
  usage: `profile [--profiler pytorch|nsys] [--runs N] [--python PYTHON] [--warmup STEPS] [--prewarm STEPS] [--active STEPS] [--step auto|train|infer|window|range:NAME|FILE:LINE]
      [--window-delay SECONDS] [--window SECONDS] [--step-limit SECONDS]
      [--device auto|cpu] [--no-shapes] [--stack] [--memory [history]] [--no-modules] [--automatic on|off] [--no-sites] [--lines] [--costs] [--stop] [--stop-wait SECONDS]
      [--skip STEPS] [--every STEPS] [--times N] [--record-ranks LIST] [--idle]
      [--capture run|steps|cudaProfilerApi|nvtx:RANGE] [--nsys-options OPTIONS]
      [--launcher ${launchers.join('|')}] [--ranks N] [--nodes N] [--launch-template JSON|FILE] [--output FOLDER] [--label TEXT] [--grace SECONDS] [--keep-running]
      [--exit-code command|own] [--paths] [--list] -- COMMAND …`,
  summary: `runs a command unmodified, and records some of its steps.
      COMMAND is a program (python train.py, bash run.sh, torchrun …) or a Python script. Profiles are kept in
      FOLDER (${usualOutputFolder}); their paths are told on standard error. Standard output, the exit status and
      signals are the command's own; 125: it could not be started. --paths writes the profiles' paths to standard
      output, one a line, and the command's output to standard error; --exit-code own exits with 0 if the command
      went well and was recorded, else 1. Ctrl+C ends everything that the command started, after --grace SECONDS (10)
      by force, and keeps what was recorded. With --keep-running it goes on where its terminal is closed. --list records nothing: it names the loops that take steps, and the
      --step FILE:LINE that records each. --memory history writes what the CUDA allocator did as a memory snapshot, which
      gpu-lens memory reads; it ends with the recorded steps, or where memory runs out.`,
  options: {...profileOptions, paths: {type: 'boolean'}, list: {type: 'boolean'}, 'exit-code': {type: 'string'}},
  async run(context, command, options) {
    const exitCode = oneOf('exit-code', options['exit-code'], ['command', 'own'] as const, 'command');
    const tell = messenger(context, options['messages']);
    // Standard output contains only data.
    const isForData = options['paths'] === true || options['list'] === true || context.format !== 'table';
    const result = await runToEnd(command, options, tell, context, isForData).catch((error: unknown) => {
      const {code, message} = describeError(error, 'launch/not-started');
      tellFailure(tell, message);
      if (exitCode === 'own' || error instanceof UsageError || code === 'launch/failed') throw error;
      context.tell(`gpu-lens: ${message}`);
      return null;
    });
    if (result === null) {
      context.exitWith(notStarted);
      return;
    }
    tell({message: 'ended', result});
    if (options['list'] === true) {
      const isOk = tellLoops(result, context);
      context.exitWith(exitCode === 'own' ? Number(!isOk) : (result.status ?? unknownStatus(options)));
      return;
    }
    if (isForData) context.write(profilesText(result.profiles, context));
    for (const path of toldFiles(result, isForData)) context.tell(`gpu-lens: recorded ${path}`);
    // An error in additional output does not fail the run.
    for (const {path} of result.profiles.filter(({kind}) => kind === 'nsys')) {
      await tellOfReport(path, context).catch(() => undefined);
    }
    const isOk = tellOutcome(result, context);
    context.exitWith(exitCode === 'own' ? Number(!isOk) : (result.status ?? unknownStatus(options)));
  },
};

/** Returns the message about the recording. It names the profiles, unless standard output does. */
function toldFiles({profiles, snapshots = []}: ProfileResult, isForData: boolean): string[] {
  return [...(isForData ? [] : profiles), ...snapshots].map(({path}) => path);
}

/** The exit status if the command was not started, as in `env` and `timeout`. */
const notStarted = 125;

/** If nsys was ended, the command's status is unknown. If the runner sent nothing, it did not start the command. */
function unknownStatus({profiler}: OptionValues): number {
  return profiler === 'nsys' ? 1 : notStarted;
}

/** Prints the NVTX ranges with mean and deviation, and explains missing ones. */
async function tellOfReport(path: string, context: CommandContext): Promise<void> {
  const profile = await loadProfile(path);
  process.stderr.write(await nvtxTable(profile));
  const important = new Set(['processes/forked', 'gpu/none']);
  for (const {code, text} of profile.trace.notes) if (important.has(code)) context.tellNote(text);
}

async function runToEnd(
  command: readonly string[],
  options: OptionValues,
  tell: (message: RunMessage) => void,
  context: CommandContext,
  isForData: boolean,
): Promise<ProfileResult> {
  const idle = idleOption(options, textOption(options['profiler']) ?? 'pytorch');
  if (idle !== null) throw new UsageError(idle);
  const runs = recordedRuns(options);
  const asked = listing(await profileRequest(profileCommand.name, command, options), options);
  const request = {...asked, ...(runs > 1 && {batch: randomUUID()})};
  let note: Promise<(() => Promise<void>) | null> = Promise.resolve(null);
  const isForEditor = typeof options['messages'] === 'string';
  const result = await untilStopped((signal, abandon) => {
    let folder = '';
    const surroundings = {
      ...runSurroundings(options, {signal, abandon}, tell, isForData ? 'stderr' : 'inherit'),
      onNoStep: (seconds: number) => {
        tell({message: 'no-step', folder, seconds});
      },
    };
    return runRepeatedly(runs, number => {
      if (runs > 1) context.tell(`gpu-lens: run ${String(number)} of ${String(runs)}`);
      return runProfile(request, surroundings, path => {
        folder = path;
        tell({message: 'began', name: request.name, folder});
        if (request.recording.idle === true) note = beIdle(request, folder, context);
      });
    });
  }, request.recording.keepRunning).finally(async () => (await note)?.());
  if (isForEditor && !result.isCancelled && result.status !== 0) tellPlaces(result, request, context);
  return result;
}

/** Returns the request for `--list`, which records nothing. @throws UsageError */
function listing(request: ProfileRequest, options: OptionValues): ProfileRequest {
  if (options['list'] !== true) return request;
  if (request.profiler === 'nsys') throw new UsageError('--list has no effect with --profiler nsys.');
  const idle = idleWithList(options);
  if (idle !== undefined) throw new UsageError(`--list records nothing: leave out --${idle}.`);
  return {...request, profiler: 'loops'};
}

/**
 * Lets triggers find the run, and prints how to trigger it. Returns a function that ends that; null if triggers cannot
 * find it. Never rejects: the program matters more than its recordings.
 */
async function beIdle(
  {name}: ProfileRequest,
  folder: string,
  context: CommandContext,
): Promise<(() => Promise<void>) | null> {
  try {
    const end = await noteIdleRun({pid: process.pid, name, folder, job: process.env['SLURM_JOB_ID'] ?? null});
    context.tell(`gpu-lens: ${name} waits for a trigger: gpu-lens trigger ${String(process.pid)} --steps 3`);
    // A note that stays is removed by whoever looks for idle runs next.
    return () => end().catch(() => undefined);
  } catch (error) {
    context.tell(`gpu-lens: ${describeError(error, 'file/unwritable').message} ${name} runs without being recorded.`);
    return null;
  }
}

/**
 * Tells where a program failed, a line each, for the editor's problem matcher: it is given every line of a traceback
 * several times where a terminal was used before, and would find none.
 */
function tellPlaces({tail}: ProfileResult, {root, cwd}: ProfileRequest, context: CommandContext): void {
  for (const {file, line, message} of failurePlaces(tail, root, cwd)) {
    context.tell(`gpu-lens: ${file}:${String(line)}: ${message}`);
  }
}
