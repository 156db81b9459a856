import {TraceError} from '../../core/base/errors.js';
import {idleRuns, runsNamed, type IdleRun} from '../../launch/run/idle-runs.js';
import {recordingOf, misusedOption} from '../../launch/command/recording-options.js';
import type {RecordingRequest} from '../../launch/run/run-control.js';
import {triggerRun} from '../../launch/run/trigger-run.js';
import {UsageError, type Command, type OptionValues} from '../command.js';
import {profilesText, tellOutcome} from '../profile-report.js';
import {formatRows, type Column} from '../report.js';
import {untilStopped} from '../until-stopped.js';

const usualWaitSeconds = 60;

/** `gpu-lens trigger PID|JOB`: makes a run that was started with `profile --idle` record its next steps. */
export const triggerCommand: Command = {
  name: 'trigger',
  brief: 'Records the next steps of a program that is running',
  usage: `trigger PID|JOB [--steps N] [--ranks LIST] [--step auto|train|infer|FILE:LINE] [--no-shapes] [--stack] [--memory]
      [--lines] [--wait SECONDS] [--paths]
  gpu-lens trigger --list`,
  summary: `records the next steps of a program that was started with gpu-lens profile --idle.
      PID is any of its processes; JOB the script's name, the run's folder, or the job of a batch system. All ranks of a
      job record the same steps; --ranks 0,3 records those alone. It waits up to --wait SECONDS (${String(usualWaitSeconds)}) for a
      step, and tells the profiles' paths as profile does. --list shows the programs that can be recorded.`,
  options: {
    steps: {type: 'string'},
    ranks: {type: 'string'},
    step: {type: 'string'},
    'no-shapes': {type: 'boolean'},
    stack: {type: 'boolean'},
    memory: {type: 'boolean'},
    lines: {type: 'boolean'},
    wait: {type: 'string'},
    paths: {type: 'boolean'},
    list: {type: 'boolean'},
  },
  async run(context, [word, ...others], options) {
    const runs = await idleRuns();
    if (options['list'] === true) {
      context.write(formatRows(runs, columns, context.format));
      return;
    }
    if (word === undefined || others.length > 0) {
      throw new UsageError('trigger needs one process or job; gpu-lens trigger --list shows them.');
    }
    const [request, waitMs] = [requestOf(options), waitOf(options) * 1000];
    const run = chosen(await runsNamed(runs, word), word);
    const result = await untilStopped(signal =>
      triggerRun(run, request, {
        signal,
        waitMs,
        onProgress: text => {
          context.tellProgress(`gpu-lens: ${text}`);
        },
      }),
    );
    if (options['paths'] === true || context.format !== 'table') context.write(profilesText(result.profiles, context));
    else for (const {path} of result.profiles) context.tell(`gpu-lens: recorded ${path}`);
    if (!tellOutcome(result, context)) context.exitWith(1);
  },
};

/** @throws UsageError */
function requestOf(options: OptionValues): RecordingRequest {
  const {steps, ranks, ...rest} = options;
  const given = {...rest, active: steps, 'record-ranks': ranks};
  const misused = misusedOption(given)?.replace('--active', '--steps').replace('--record-ranks', '--ranks') ?? null;
  if (misused !== null) throw new UsageError(misused);
  if (/^(window$|range:)/.test(String(options['step'] ?? ''))) {
    throw new UsageError(`--step takes auto, train, infer or FILE:LINE here; not "${String(options['step'])}".`);
  }
  const {active, recordRanks, stacks, ...recording} = recordingOf(given);
  const numbers = recordRanks?.split(',').map(Number);
  const request = {...recording, steps: active, ranks: numbers, stack: stacks};
  const said = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said);
}

/** @throws UsageError */
function waitOf({wait}: OptionValues): number {
  if (wait === undefined) return usualWaitSeconds;
  if (typeof wait === 'string' && /^\d{1,9}(\.\d+)?$/.test(wait)) return Number(wait);
  throw new UsageError(`--wait takes a number of seconds; not "${String(wait)}".`);
}

/** @throws TraceError `launch/failed` if none or several match */
function chosen(runs: readonly IdleRun[], word: string): IdleRun {
  const [run, other] = runs;
  if (!run) {
    throw new TraceError(
      'launch/failed',
      `No program that was started with gpu-lens profile --idle is "${word}"; gpu-lens trigger --list shows them.`,
    );
  }
  if (other) {
    throw new TraceError('launch/failed', `Several programs are "${word}": name one by its process, ${pids(runs)}.`);
  }
  return run;
}

function pids(runs: readonly IdleRun[]): string {
  return runs.map(({pid}) => String(pid)).join(', ');
}

const columns: readonly Column<IdleRun>[] = [
  {key: 'pid', title: 'Process', value: ({pid}) => pid},
  {key: 'name', title: 'Name', value: ({name}) => name},
  {key: 'host', title: 'Host', value: ({host}) => host},
  {key: 'job', title: 'Job', value: ({job}) => job},
  {key: 'folder', title: 'Folder', value: ({folder}) => folder},
];
