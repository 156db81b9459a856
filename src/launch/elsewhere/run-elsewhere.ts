import {constants} from 'node:os';
import {basename, posix} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {describeError, TraceError} from '../../core/base/errors.js';
import {runChild, type ChildOptions} from '../programs/run-child.js';
import type {RunFolder} from '../run/run-folder.js';
import {runProgram} from '../programs/run-program.js';
import type {RunnerRequest} from '../run/runner-command.js';
import type {RunnerEvent} from '../run/runner-events.js';
import {fillTemplate, type LaunchTemplate, type TemplateValues} from '../command/launch-template.js';

/** How long a cancelled job may take to write its recording before the waiting program is ended. */
const graceMs = 150_000;

/** The parts of a request that depend on where the command runs. */
export interface Place {
  readonly template: LaunchTemplate;
  readonly values: Omit<TemplateValues, 'command'>;
  /** Folders of the run and the recorder at the other place. */
  readonly runFolder: string;
  readonly recorder: string;
}

/** Returns where a run's files lie at the place that a template leads to. @param cwd the command's folder here */
export function placeOf(template: LaunchTemplate, folder: RunFolder, recorder: string, cwd: string): Place {
  const id = `gpu-lens-${basename(folder.path).replace(/[^\w.-]/g, '_')}`;
  const here = {id, runFolder: folder.path, recorder};
  const own = {...here, folder: folder.path, workingFolder: template.workingFolder ?? cwd};
  if (template.folder === null) return {template, values: own, runFolder: folder.path, recorder};
  const [there = ''] = fillTemplate([template.folder], {...own, command: []});
  // Programs that copy a folder to a path that does not exist yet make that path the copy: scp, kubectl cp, cp.
  return {template, values: {...own, folder: there}, runFolder: posix.join(there, 'run'), recorder: there};
}

/** Returns a request in terms of another place. @param python the interpreter here */
export function requestAt(place: Place, request: RunnerRequest): RunnerRequest {
  const {template, values, runFolder, recorder} = place;
  const [program = '', ...args] = request.command;
  const python = template.python ?? request.python;
  return {
    ...request,
    python,
    runner: recorder,
    folder: runFolder,
    // A process id of this machine names nothing, or something else, on another one.
    parent: null,
    root: values.workingFolder,
    command: program === request.python ? [python, ...args] : request.command,
  };
}

/** Returns a message of a run elsewhere with paths of this machine. */
export function eventHere(event: RunnerEvent | null, {runFolder, values}: Place): RunnerEvent | null {
  if ((event?.event !== 'trace' && event?.event !== 'snapshot') || !event.path.startsWith(`${runFolder}/`))
    return event;
  return {...event, path: posix.join(values.runFolder, event.path.slice(runFolder.length + 1))};
}

/** What a run elsewhere needs in addition to a child process's options. */
export interface ElsewhereOptions extends ChildOptions {
  /** Aborts when the user asks a second time to end the run. */
  readonly abandon: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** How a run elsewhere ended. */
export interface ElsewhereEnd {
  /** The exit status of the program that ran the command; that of an interrupt if it was not started. */
  readonly status: number;
  /** Why the copies were not removed, in a sentence; null if they were, or there are none. */
  readonly cleanFailure: string | null;
}

/**
 * Runs a command by a template: copies the recorder, runs the command, fetches the recording, cleans up. The recording is
 * fetched even if the run failed or was cancelled. If the run was cancelled before the command started, the command is
 * not run.
 *
 * @throws TraceError `launch/not-started` if the recorder could not be copied; `launch/failed` if the profiles could
 *   not be fetched
 */
export async function runElsewhere(
  {template, values}: Place,
  command: readonly string[],
  options: ElsewhereOptions,
): Promise<ElsewhereEnd> {
  const filled = {...values, command};
  const steps = new Steps(filled, options);
  if (template.carry) await steps.must('carrying the recorder', template.carry, 'launch/not-started');
  // Copying goes on while the run is cancelled; then nothing is run, and there is nothing to fetch.
  const starts = !options.signal.aborted;
  const status = starts ? await runAndCancel(template, filled, options) : 128 + constants.signals.SIGINT;
  // If fetching fails, the copies stay: nothing else has the recording.
  if (template.fetch && starts) await steps.must('fetching the profiles', template.fetch, 'launch/failed');
  if (!template.clean || !(starts || template.carry)) return {status, cleanFailure: null};
  // The recording is here: it counts, whatever becomes of the copies.
  const cleanFailure = await steps.must('removing the copies', template.clean, 'launch/failed').then(
    () => null,
    (error: unknown) => describeError(error, 'launch/failed').message,
  );
  return {status, cleanFailure};
}

/** Runs the command. If the run is cancelled, asks the job to end and waits for it. */
async function runAndCancel(
  template: LaunchTemplate,
  values: TemplateValues,
  options: ElsewhereOptions,
): Promise<number> {
  const {cancel} = template;
  const [program = '', ...args] = fillTemplate(template.run, values);
  if (!cancel) return runChild(program, args, options);
  const ending = new AbortController();
  const end = () => {
    ending.abort();
  };
  const onCancel = () => {
    const [canceller = '', ...cancelling] = fillTemplate(cancel, values);
    // A job that cannot be cancelled is abandoned, and the waiting program is ended.
    runProgram(canceller, cancelling, {cwd: options.cwd, env: options.env})
      .then(({status}) => (status === 0 ? delay(graceMs, undefined, {signal: ending.signal, ref: false}) : undefined))
      .then(end, end);
  };
  options.signal.addEventListener('abort', onCancel, {once: true});
  options.abandon.addEventListener('abort', end, {once: true});
  try {
    return await runChild(program, args, {...options, signal: ending.signal});
  } finally {
    end();
    options.signal.removeEventListener('abort', onCancel);
    options.abandon.removeEventListener('abort', end);
  }
}

class Steps {
  constructor(
    private readonly values: TemplateValues,
    private readonly options: ElsewhereOptions,
  ) {}

  /** Runs a program of the template that must succeed. */
  async must(what: string, part: readonly string[], code: 'launch/not-started' | 'launch/failed'): Promise<void> {
    this.options.onProgress(what);
    const [program = '', ...args] = fillTemplate(part, this.values);
    const {cwd, env, abandon} = this.options;
    const end = await runProgram(program, args, {cwd, env, signal: abandon}).catch((error: unknown) => {
      if (error instanceof TraceError) throw error;
      throw new TraceError(code, `${program}, of the launch template, could not be started: ${reasonOf(error)}.`);
    });
    if (end.status === 0) return;
    const last = end.output.trim().split('\n').at(-1) ?? '';
    const reason = last === '' ? '' : `: ${last.slice(0, 300)}`;
    throw new TraceError(code, `${program}, of the launch template, failed while ${what}${reason}.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
