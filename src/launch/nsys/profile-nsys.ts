import type {ChildProcess} from 'node:child_process';
import {delimiter, join} from 'node:path';
import {describeError, TraceError} from '../../core/errors.js';
import {findNsys} from '../find-nsys.js';
import type {ProfileRequest} from '../profile-request.js';
import type {ProfileResult, RecordedProfile} from '../profile-result.js';
import type {ProfileSurroundings} from '../profile-pytorch.js';
import {isPython} from '../python-interpreter.js';
import {runChild} from '../run-child.js';
import type {RunFolder} from '../run-folder.js';
import {runProgram} from '../run-program.js';
import {finishReport} from './finish-report.js';
import {nsysArguments} from './nsys-arguments.js';
import {disclosureNote, isStartFailure, nsysSentences} from './nsys-sentences.js';
import {runTimes, timesNote} from './timed-runs.js';

const warmupRuns = 1;
const tailLines = 40;

/** One run of the command, or of nsys around it. */
interface RunEnd {
  readonly status: number;
  readonly durationNs: number;
  readonly output: string;
}

/**
 * Runs a command under Nsight Systems, after so many timed runs without it, and exports the report.
 *
 * @throws TraceError `launch/no-nsys`, `launch/not-started`, `launch/nsys-failed`
 */
export async function profileWithNsys(
  request: ProfileRequest,
  folder: RunFolder,
  surroundings: ProfileSurroundings,
): Promise<ProfileResult> {
  const {signal, onProgress} = surroundings;
  const nsys = await requiredNsys(surroundings);
  const {output: help} = await wholeOutput(nsys, ['profile', '--help'], signal);
  const plain = await timedRuns(request, surroundings);
  const [program = ''] = request.command;
  const base = join(folder.path, fileName(request.name));
  const args = nsysArguments(help, {output: base, isPython: isPython(program), command: request.command});
  onProgress('running under nsys');
  const end = await runUnderNsys(
    nsys,
    args,
    {...request, env: mirroringEnvironment(request, surroundings)},
    surroundings,
  );
  const sentences = nsysSentences(end.output);
  const profiles: RecordedProfile[] = [];
  if (!signal.aborted) onProgress('exporting the report');
  try {
    // What was recorded is kept of a cancelled run too, so the export is not cancelled with it.
    const path = await finishReport(nsys, base, new AbortController().signal);
    profiles.push({path, kind: 'nsys', steps: 0, rank: null});
  } catch (error) {
    sentences.push(describeError(error, 'launch/nsys-failed').message);
  }
  const isCancelled = signal.aborted;
  const tail = end.output
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .slice(-tailLines);
  const failure =
    isCancelled || end.status === 0 ? [] : [`${request.name} failed with exit code ${String(end.status)} under nsys.`];
  return {
    profiles,
    status: end.status,
    isCancelled,
    sentences: isCancelled && profiles.length > 0 ? [] : [...failure, ...sentences],
    notes: [
      ...(plain.length > 0 ? [timesNote(runTimes(plain), end.durationNs)] : []),
      ...(profiles.length > 0 ? [disclosureNote] : []),
    ],
    tail,
  };
}

async function requiredNsys({nsys}: ProfileSurroundings): Promise<string> {
  const found = await findNsys(nsys);
  if (found !== null) return found;
  throw new TraceError(
    'launch/no-nsys',
    'nsys was not found: install Nsight Systems (https://developer.nvidia.com/nsight-systems), or name it in gpuLens.nsys or GPU_LENS_NSYS.',
  );
}

/** Wakes the runner in Python processes, where it mirrors `record_function` and module calls into NVTX. */
function mirroringEnvironment({env, root}: ProfileRequest, {runner}: ProfileSurroundings): NodeJS.ProcessEnv {
  const path = [join(runner, 'boot'), env['PYTHONPATH']].filter(entry => entry !== undefined && entry !== '');
  return {...env, PYTHONPATH: path.join(delimiter), GPULENS_NVTX: root};
}

/** How long the runs without nsys took, in ns; one before them warms caches and is not counted. @throws TraceError */
async function timedRuns(request: ProfileRequest, surroundings: ProfileSurroundings): Promise<number[]> {
  const {signal, onProgress} = surroundings;
  const durations: number[] = [];
  const [program = '', ...args] = request.command;
  const total = request.timedRuns === 0 ? 0 : request.timedRuns + warmupRuns;
  for (let run = 0; run < total && !isAborted(signal); run++) {
    onProgress(run < warmupRuns ? 'warm-up run' : `timed run ${String(run)}/${String(request.timedRuns)}`);
    const {status, durationNs} = await runOnce(program, args, request, surroundings);
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

/** Asked anew each time: it changes while something is waited for. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** A start that fails before the command was run is tried once more. */
async function runUnderNsys(
  nsys: string,
  args: readonly string[],
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
): Promise<RunEnd> {
  const first = await runOnce(nsys, args, request, surroundings);
  if (surroundings.signal.aborted || !isStartFailure(first.output)) return first;
  surroundings.onProgress('nsys did not start: trying once more');
  return runOnce(nsys, args, request, surroundings);
}

/** Runs a program with its output shown, and kept for what must be told of it. */
async function runOnce(
  program: string,
  args: readonly string[],
  {cwd, env}: ProfileRequest,
  {signal, stdout}: ProfileSurroundings,
): Promise<RunEnd> {
  let output = '';
  const show = (target: NodeJS.WriteStream) => (data: Buffer) => {
    target.write(data);
    output = (output + data.toString()).slice(-keptOutput);
  };
  const beginNs = process.hrtime.bigint();
  const status = await runChild(program, args, {
    cwd,
    env,
    stdio: ['inherit', 'pipe', 'pipe'],
    signal,
    onStart: ({stdout: out, stderr}: ChildProcess) => {
      out?.on('data', show(stdout === 'inherit' ? process.stdout : process.stderr));
      stderr?.on('data', show(process.stderr));
    },
  });
  return {status, durationNs: Number(process.hrtime.bigint() - beginNs), output};
}

const keptOutput = 64 * 1024;

async function wholeOutput(program: string, args: readonly string[], signal: AbortSignal): Promise<{output: string}> {
  let output = '';
  const onOutput = (text: string) => {
    output += text;
  };
  await runProgram(program, args, {signal, onOutput});
  return {output};
}

function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 60) || 'profile';
}
