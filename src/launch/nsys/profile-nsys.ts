import {join} from 'node:path';
import {describeError, TraceError} from '../../core/base/errors.js';
import {lastPart} from '../python/command-name.js';
import {EventFollower} from '../programs/event-follower.js';
import {mayStartPython} from '../python/may-start-python.js';
import type {ProfileRequest} from '../command/profile-request.js';
import type {ProfileResult, RecordedProfile} from '../run/profile-result.js';
import type {ProfileSurroundings} from '../run/profile-surroundings.js';
import type {RunFolder} from '../run/run-folder.js';
import {RunRecord, runSentences} from '../run/run-outcome.js';
import {progressText} from '../run/run-progress.js';
import {parseRunnerEvent} from '../run/runner-events.js';
import {searchPathOf} from '../programs/search-path.js';
import {agentEnvironment} from './program-agent.js';
import {captureFlags, captureWay, neverOpened, type CaptureWay} from './capture.js';
import {finishReport, hasReport, leftReport} from './finish-report.js';
import {nsysArguments} from './nsys-arguments.js';
import {disclosureNote, nsysSentences, startFailure} from './nsys-sentences.js';
import {keepRawEvents, rawEventsIn} from './raw-events.js';
import {recordingNsys} from './recording-nsys.js';
import {runShown, type RunEnd} from './shown-run.js';
import {hungSentence} from './silence-limit.js';
import {runTimes, timesNote} from './timed-runs.js';

const warmupRuns = 1;
/** nsys 2022.4 can fail to start because of a race of its own: in two of five runs on a busy machine. */
const mostStarts = 5;
const tailLines = 40;

/**
 * Runs a command under Nsight Systems, after the requested timed runs without it, and exports the report.
 *
 * @throws TraceError `launch/no-nsys`, `launch/nsys-too-old`, `launch/not-started`, `launch/nsys-failed`
 */
export async function profileWithNsys(
  request: ProfileRequest,
  folder: RunFolder,
  surroundings: ProfileSurroundings,
): Promise<ProfileResult> {
  refuseSrun(request);
  refuseTemplate(request);
  const {signal, onProgress} = surroundings;
  const {path: nsys, help} = await recordingNsys(surroundings);
  const way = request.capture === 'steps' ? await captureWay(request.command, signal) : 'nvtx';
  const capture = captureFlags(help, request.capture, way);
  const plain = await timedRuns(request, surroundings);
  if (isAborted(signal)) return nothingRecorded(request);
  const base = join(folder.path, fileName(request.name));
  const args = nsysArguments(help, {
    ...{output: base, isPython: await mayStartPython(request.command, request.cwd, searchPathOf(request.env))},
    ...{command: request.command, capture, options: request.nsysOptions},
  });
  onProgress('running under nsys');
  const temporary = request.env['TMPDIR'];
  const before = await rawEventsIn(temporary);
  const {end, record} = await runFollowed(nsys, args, base, request, folder, surroundings, way);
  const notKept = (await hasReport(base)) ? [] : await keepRawEvents(end.output, base, before, temporary);
  const {profile, sentences} =
    end.notStarted !== null
      ? {profile: null, sentences: []}
      : await exported(nsys, base, end, record, request, surroundings);
  const isCancelled = isAborted(signal);
  const tail = end.output
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .slice(-tailLines);
  return {
    profiles: profile ? [profile] : [],
    // If nsys hung, the program's exit status is unknown.
    status: end.isHung ? null : end.status,
    isCancelled,
    sentences: isCancelled && profile ? [] : [...failures(end, request, surroundings), ...notKept, ...sentences],
    notes: [
      ...(plain.length > 0 ? [timesNote(runTimes(plain), end.durationNs)] : []),
      ...(profile ? [disclosureNote] : []),
    ],
    tail,
    ...(record.stepTimes && {stepTimes: record.stepTimes}),
  };
}

/** Programs started by srun are not its children, and run on other nodes too. @throws TraceError `launch/nsys-failed` */
function refuseSrun({command: [program = '']}: ProfileRequest): void {
  if (lastPart(program) !== 'srun') return;
  throw new TraceError(
    'launch/nsys-failed',
    'nsys would record srun alone, not the ranks that it starts: record them with the PyTorch profiler, or run srun … nsys profile --output=rank.%q{SLURM_PROCID} … yourself and open the reports.',
  );
}

/** nsys and what it records run on this machine. @throws TraceError `launch/nsys-failed` */
function refuseTemplate({launchTemplate}: ProfileRequest): void {
  if (launchTemplate === null) return;
  throw new TraceError(
    'launch/nsys-failed',
    'nsys would record the command on this machine, not where the launch template runs it: run nsys profile … there yourself and open the report.',
  );
}

/** Returns how the run itself failed, in a sentence; none if it succeeded or was cancelled. */
function failures(
  {status, isHung, notStarted}: NsysEnd,
  {name, nsysOptions}: ProfileRequest,
  {signal, nsysLimitMs}: ProfileSurroundings,
): string[] {
  if (notStarted !== null) {
    const times = String(mostStarts);
    return [
      `nsys did not start, ${times} times: “${notStarted}”; end other nsys sessions (nsys sessions list) and try again.`,
    ];
  }
  if (isHung) return [hungSentence(name, nsysLimitMs, nsysOptions)];
  return signal.aborted || status === 0 ? [] : [`${name} failed with exit code ${String(status)} under nsys.`];
}

function nothingRecorded({name}: ProfileRequest): ProfileResult {
  const record = new RunRecord();
  return {
    profiles: [],
    status: null,
    isCancelled: true,
    sentences: runSentences(name, record, true),
    notes: [],
    tail: [],
  };
}

/** The exported report, and the messages about it. */
interface Exported {
  readonly profile: RecordedProfile | null;
  readonly sentences: readonly string[];
}

async function exported(
  nsys: string,
  base: string,
  {output, status, isHung}: RunEnd,
  record: RunRecord,
  {name, capture}: ProfileRequest,
  {signal, abandon, nsysLimitMs, onProgress}: ProfileSurroundings,
): Promise<Exported> {
  const isThere = await hasReport(base);
  const told = (isWhole: boolean) => [...nsysSentences(output, isWhole && status === 0), ...record.errors];
  if (capture !== 'run' && !isHung && !isThere) {
    return {profile: null, sentences: [...told(false), neverOpened(name, capture, record.stepsTaken)]};
  }
  if (!signal.aborted) onProgress('exporting the report');
  try {
    // A cancelled run's recording is kept too, so cancelling does not stop the export.
    const path = await finishReport(nsys, base, {signal: abandon, limitMs: nsysLimitMs});
    return {
      profile: {path, kind: 'nsys', steps: record.stepTimes?.stepNs.length ?? 0, rank: null},
      sentences: told(true),
    };
  } catch (error) {
    if (abandon.aborted) {
      const left = await leftReport(base);
      const where = left === null ? [] : [`What nsys recorded was not exported: it is at ${left}.`];
      return {profile: null, sentences: [...told(isThere), ...where]};
    }
    return {profile: null, sentences: [...told(false), describeError(error, 'launch/nsys-failed').message]};
  }
}

/** Runs nsys and follows what the runner in the program reports of its steps. */
async function runFollowed(
  nsys: string,
  args: readonly string[],
  base: string,
  request: ProfileRequest,
  folder: RunFolder,
  surroundings: ProfileSurroundings,
  way: CaptureWay,
): Promise<{end: NsysEnd; record: RunRecord}> {
  const record = new RunRecord();
  const follower = new EventFollower(folder.eventsFile, parseRunnerEvent, event => {
    record.add(event);
    const text = event.event === 'step' ? progressText(event) : null;
    if (text !== null) surroundings.onProgress(text);
  });
  follower.start();
  try {
    const env = agentEnvironment(request, folder, surroundings, way, base);
    const end = await runUnderNsys(nsys, args, base, {...request, env}, surroundings);
    return {end, record};
  } finally {
    await follower.stop();
  }
}

/**
 * Returns the times of the runs without nsys, in ns. One run before them warms caches and is not counted. @throws
 * TraceError
 */
async function timedRuns(request: ProfileRequest, surroundings: ProfileSurroundings): Promise<number[]> {
  const {signal, onProgress} = surroundings;
  const durations: number[] = [];
  const [program = '', ...args] = request.command;
  const total = request.timedRuns === 0 ? 0 : request.timedRuns + warmupRuns;
  for (let run = 0; run < total && !isAborted(signal); run++) {
    onProgress(run < warmupRuns ? 'warm-up run' : `timed run ${String(run)}/${String(request.timedRuns)}`);
    const {status, durationNs} = await runShown(program, args, request, surroundings);
    if (isAborted(signal)) break;
    if (status !== 0) {
      throw new TraceError(
        'launch/failed',
        `${request.name} failed with exit code ${String(status)}, without a profiler.`,
      );
    }
    if (run >= warmupRuns) durations.push(durationNs);
  }
  return durations;
}

/** A function, because the value changes during awaits. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** A run under nsys. */
interface NsysEnd extends RunEnd {
  /** Why nsys did not start, in its words; null if it ran the command. */
  readonly notStarted: string | null;
}

/** Retries a start that failed before the command ran. @param base path of the report without its extension */
async function runUnderNsys(
  nsys: string,
  args: readonly string[],
  base: string,
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
): Promise<NsysEnd> {
  const run = async (): Promise<NsysEnd> => {
    const end = await runShown(nsys, args, request, surroundings, surroundings.nsysLimitMs);
    const mayHaveRun = isAborted(surroundings.signal) || end.isHung || end.status === 0 || (await hasReport(base));
    return {...end, notStarted: mayHaveRun ? null : startFailure(end.output)};
  };
  let end = await run();
  for (let starts = 1; end.notStarted !== null && starts < mostStarts; starts++) {
    surroundings.onProgress('nsys did not start: trying once more');
    end = await run();
  }
  return end;
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 60) || 'profile';
}
