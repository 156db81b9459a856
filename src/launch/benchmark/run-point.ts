import {randomUUID} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {describeError, TraceError} from '../../core/base/errors.js';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import type {PointResult} from '../../core/benchmark/point-result.js';
import type {SweepConfig} from '../../core/benchmark/sweep-config.js';
import type {SweepPoint} from '../../core/benchmark/sweep-points.js';
import {EventFollower} from '../programs/event-follower.js';
import {runChild} from '../programs/run-child.js';
import {parsePointEvent} from './point-events.js';
import {PointRecord} from './point-record.js';

/** What every point of a sweep needs to run. */
export interface PointSurroundings {
  readonly config: SweepConfig;
  /** The interpreter. */
  readonly python: string;
  /** The program that measures: `src/runner/bench.py`. */
  readonly program: string;
  /** Commands and callables run in this folder. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Receives the output of the point as it arrives. */
  readonly onOutput: (text: string) => void;
  /** Called after each step with the number of measured steps. */
  readonly onStep: (measured: number) => void;
}

/** The outcome of a point's process. */
interface PointRun {
  readonly record: PointRecord;
  readonly result: PointResult;
}

/**
 * Measures a point in a process of its own. The process and its children are ended if it takes too long or the signal
 * aborts. The result describes any outcome; `isDone` is true if all steps were measured.
 *
 * @param folder where the process's messages are written while it runs
 */
export async function runPoint(
  point: SweepPoint,
  folder: string,
  surroundings: PointSurroundings,
): Promise<{readonly result: PointResult; readonly isDone: boolean}> {
  const {record, result} = await run(point, folder, [], surroundings);
  return {result, isDone: record.isDone};
}

/**
 * Records a profile of a few steps of a point into a file. @throws TraceError `launch/failed` if no profile was
 * recorded
 */
export async function profilePoint(
  point: SweepPoint,
  folder: string,
  path: string,
  surroundings: PointSurroundings,
): Promise<string> {
  const {record, result} = await run(point, folder, ['--profile', path], surroundings);
  if (record.tracePath === null) throw new TraceError('launch/failed', result.message ?? 'No profile was recorded.');
  return record.tracePath;
}

/** Returns the data types of one step of a point. @throws TraceError `launch/failed` if there are none */
export async function precisionOfPoint(
  point: SweepPoint,
  folder: string,
  surroundings: PointSurroundings,
): Promise<readonly PrecisionRow[]> {
  const {record, result} = await run(point, folder, ['--precision-map'], surroundings);
  if (record.precision === null) throw new TraceError('launch/failed', result.message ?? 'No precision map was made.');
  return record.precision;
}

async function run(
  point: SweepPoint,
  folder: string,
  options: readonly string[],
  surroundings: PointSurroundings,
): Promise<PointRun> {
  const {config, python, program, cwd, signal, onStep} = surroundings;
  const record = new PointRecord(point);
  // A process that outlived its parent may still write the messages of an earlier attempt.
  const eventsFile = join(folder, `${randomUUID()}.events.jsonl`);
  const follower = new EventFollower(eventsFile, parsePointEvent, event => {
    record.add(event);
    if (event.event === 'step') onStep(record.measuredSteps);
  });
  const output = new LastLine(surroundings.onOutput);
  const limit = AbortSignal.timeout(config.timeLimitSeconds * 1000);
  const args = [program, '--events', eventsFile, ...options];
  follower.start();
  try {
    const status = await runChild(python, args, {
      cwd,
      env: point.target === 'command' ? surroundings.env : {...surroundings.env, ...point.environment},
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, limit]),
      onStart: ({stdin, stdout, stderr}) => {
        // Sent on stdin, not as an argument: anybody can see a process's arguments, and variables may be secrets. If
        // the process ends before it reads the point, its exit status shows that.
        stdin?.on('error', () => undefined).end(JSON.stringify(pointForPython(point, config)));
        output.follow(stdout);
        output.follow(stderr);
      },
    });
    await follower.stop();
    const limitSeconds = limit.aborted ? config.timeLimitSeconds : null;
    return {record, result: record.result({status, lastLine: output.text, limitSeconds})};
  } catch (error) {
    const {message} = describeError(error, 'launch/not-started');
    record.add({event: 'failed', error: 'not-started', message});
    return {record, result: record.result({status: 127, lastLine: '', limitSeconds: null})};
  } finally {
    await follower.stop();
    await rm(eventsFile, {force: true});
  }
}

/** Returns the point in the form that `gpulens_bench/point.py` reads. */
function pointForPython(point: SweepPoint, config: SweepConfig): object {
  const {size} = point;
  return {
    target: point.target,
    function: point.function,
    command: point.command,
    environment: point.target === 'command' ? point.environment : {},
    size: size && {
      name: size.name,
      d_model: size.dModel,
      d_ff: size.dFf,
      layers: size.layers,
      heads: size.heads,
    },
    context_length: point.contextLength,
    batch: point.batch,
    vocabulary: config.vocabulary,
    pass_name: point.pass,
    precision: point.precision,
    device: point.device ?? 'auto',
    compiled: point.compile ?? false,
    threads: config.threads,
    warmup_steps: config.warmupSteps,
    measured_steps: config.steps,
  };
}

/** Passes output on and keeps the last line that is not blank. */
class LastLine {
  text = '';

  constructor(private readonly onOutput: (text: string) => void) {}

  follow(stream: Readable | null): void {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      this.onOutput(text);
      this.text =
        text
          .split('\n')
          .findLast(line => line.trim() !== '')
          ?.trim() ?? this.text;
    });
  }
}
