import {TraceError} from '../core/base/errors.js';
import {eventHere, placeOf, requestAt, runElsewhere, type ElsewhereEnd, type Place} from './elsewhere/run-elsewhere.js';
import {EventFollower} from './programs/event-follower.js';
import {isPython, findPython} from './python/python-interpreter.js';
import type {ProfileRequest} from './command/profile-request.js';
import type {ProfileResult} from './run/profile-result.js';
import type {ProfileSurroundings} from './run/profile-surroundings.js';
import {runChild, type ChildOptions} from './programs/run-child.js';
import type {RunFolder} from './run/run-folder.js';
import {costsNote} from './run/costs-note.js';
import {loopsNote} from './run/loops-note.js';
import {snapshotsNote, snapshotsOf} from './run/memory-snapshots.js';
import {isInterrupted, loopsSentences, overheadNote, profilesOf, RunRecord, runSentences} from './run/run-outcome.js';
import {progressText} from './run/run-progress.js';
import {runnerCommand, type RunnerRequest} from './run/runner-command.js';
import {parseRunnerEvent, type RunnerEvent} from './run/runner-events.js';

/**
 * Runs a command, unmodified, under the runner in our terminal, and returns what was recorded.
 *
 * @throws TraceError `launch/no-python`, `launch/not-started`
 */
export async function profileWithPyTorch(
  request: ProfileRequest,
  folder: RunFolder,
  surroundings: ProfileSurroundings,
): Promise<ProfileResult> {
  const {signal, onProgress, onNoStep} = surroundings;
  const python = await runnersPython(request, surroundings);
  const {recording, timesSteps, command, root, cwd, launchTemplate} = request;
  const {runner} = surroundings;
  const instead = insteadOfProfiler(request);
  const asked = {
    python,
    runner,
    folder: folder.path,
    parent: process.pid,
    root,
    recording,
    timesSteps,
    command,
    instead,
  };
  const place = launchTemplate && placeOf(launchTemplate, folder, runner, cwd);
  const record = new RunRecord();
  const follower = new EventFollower(
    folder.eventsFile,
    line => parsedHere(line, place),
    event => {
      record.add(event);
      const text = progressText(event);
      if (text !== null) onProgress(text);
      if (event.event === 'no-step') onNoStep(event.seconds);
    },
  );
  follower.start();
  let end: ElsewhereEnd;
  try {
    end = await startRunner(asked, place, surroundings, {
      cwd: request.cwd,
      env: request.env,
      stdio: ['inherit', surroundings.stdout === 'inherit' ? 'inherit' : 2, 'inherit'],
      signal,
      isWriting: () => record.isWriting,
      graceMs: recording.graceSeconds === undefined ? undefined : recording.graceSeconds * 1000,
      passesOnSignals: true,
    });
    await follower.stop();
    record.status ??= end.status;
  } finally {
    await follower.stop();
  }
  const isCancelled = signal.aborted || isInterrupted(record);
  return {
    profiles: profilesOf(record),
    snapshots: snapshotsOf(record),
    status: record.hasStarted ? record.status : null,
    isCancelled,
    sentences: (instead === 'loops' ? loopsSentences : runSentences)(request.name, record, isCancelled),
    notes: [
      loopsNote(record),
      overheadNote(record),
      costsNote(request, record, isCancelled),
      snapshotsNote(record, request.recording.memoryHistory === true && instead === null),
      end.cleanFailure,
    ].filter(note => note !== null),
    tail: record.tail,
    ...(instead === 'loops' && {loops: record.loops}),
    ...(record.stepTimes && {stepTimes: record.stepTimes}),
    ...(record.costs && {optionSteps: record.costs}),
  };
}

/** Returns what runs in place of the profiler; null if the profiler runs. */
function insteadOfProfiler({profiler}: ProfileRequest): 'timer' | 'loops' | null {
  return profiler === 'timer' || profiler === 'loops' ? profiler : null;
}

/** Runs the runner, here or elsewhere. */
async function startRunner(
  asked: RunnerRequest,
  place: Place | null,
  {abandon, onProgress}: ProfileSurroundings,
  options: ChildOptions,
): Promise<ElsewhereEnd> {
  const {program, args} = runnerCommand(place ? requestAt(place, asked) : asked);
  if (!place) return {status: await runChild(program, args, options), cleanFailure: null};
  return runElsewhere(place, [program, ...args], {...options, abandon, onProgress});
}

function parsedHere(line: string, place: Place | null): RunnerEvent | null {
  const event = parseRunnerEvent(line);
  return place ? eventHere(event, place) : event;
}

/** Uses the command's own interpreter if it has one, so that nothing else need be installed. */
async function runnersPython({command, cwd}: ProfileRequest, {python}: ProfileSurroundings): Promise<string> {
  const [program] = command;
  if (program === undefined) throw new TraceError('launch/not-started', 'There is no command to run.');
  if (python === null && isPython(program)) return program;
  return (await findPython({selected: null, setting: python, workspaceFolders: [cwd]})).path;
}
