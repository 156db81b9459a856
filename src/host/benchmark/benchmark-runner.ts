import {join} from 'node:path';
import * as vscode from 'vscode';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import type {PointResult} from '../../core/benchmark/point-result.js';
import {parseSweepConfig} from '../../core/benchmark/parse-config.js';
import {sweepPoints, type SweepPoint} from '../../core/benchmark/sweep-points.js';
import {measuredCount} from '../../core/benchmark/sweep-record.js';
import {pointText} from '../../core/benchmark/point-text.js';
import {TraceError} from '../../core/base/errors.js';
import {precisionOfPoint, profilePoint, type PointSurroundings} from '../../launch/benchmark/run-point.js';
import {runSweep, type SweepRequest} from '../../launch/benchmark/run-sweep.js';
import {appendLine, type KeptSweep} from '../../launch/benchmark/sweep-files.js';
import {withLock} from '../../launch/benchmark/sweep-lock.js';
import {outerEnvironment} from '../../launch/programs/outer-environment.js';
import {findPython} from '../../launch/python/python-interpreter.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import type {BenchmarkProgress} from '../../protocol/benchmark-messages.js';
import type {Log} from '../base/log.js';
import {interpreterHints} from '../run/interpreter.js';

/** The state of a sweep being measured. */
export interface RunningSweep {
  readonly folder: string;
  readonly progress: BenchmarkProgress;
}

/** The current activity; `sweep` is null if a point is being profiled, or the sweep has not begun. */
interface Running {
  readonly stop: AbortController;
  sweep: RunningSweep | null;
}

/** Measures sweeps and profiles their points, one at a time, since two would disturb each other. */
export class BenchmarkRunner implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<'results' | 'progress'>();
  readonly onDidChange = this.#changed.event;
  #running: Running | null = null;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly log: Log,
  ) {}

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get sweep(): RunningSweep | null {
    return this.#running?.sweep ?? null;
  }

  cancel(): void {
    this.#running?.stop.abort();
  }

  dispose(): void {
    this.cancel();
    this.#changed.dispose();
  }

  /**
   * Measures or resumes a sweep, and returns the results so far.
   *
   * @param given a config as parsed JSON
   * @throws TraceError with one sentence
   */
  async run(given: unknown, name: string, earlier: SweepRequest['earlier']): Promise<KeptSweep> {
    try {
      return await this.#alone(running => this.#measure(running, given, name, earlier));
    } finally {
      this.#changed.fire('results');
    }
  }

  /** Runs an activity unless another one runs. @throws TraceError `bench/running` */
  async #alone<T>(run: (running: Running) => Promise<T>): Promise<T> {
    if (this.#running) {
      throw new TraceError(
        'bench/running',
        vscode.l10n.t(
          'A sweep is being measured, or a point profiled, which this would disturb: wait for it, or cancel it.',
        ),
      );
    }
    const running: Running = {stop: new AbortController(), sweep: null};
    this.#running = running;
    try {
      return await run(running);
    } finally {
      this.#running = null;
    }
  }

  async #measure(running: Running, given: unknown, name: string, earlier: SweepRequest['earlier']): Promise<KeptSweep> {
    const config = parseSweepConfig(given, name);
    let done = 0;
    const tell = (progress: Partial<BenchmarkProgress>, what: 'results' | 'progress') => {
      if (running.sweep) running.sweep = {...running.sweep, progress: {...running.sweep.progress, ...progress}};
      this.#changed.fire(what);
    };
    const surroundings = await this.#surroundings(given, name, running.stop.signal);
    const points = sweepPoints(config);
    return runSweep(
      {...surroundings, given, output: workspaceOutput(), earlier},
      {
        onBegin: ({folder, record}) => {
          done = measuredCount(record);
          const progress = {doneCount: done, totalCount: points.length, text: ''};
          running.sweep = {folder, progress};
          this.#changed.fire('results');
        },
        onPoint: (_, point) => {
          tell({text: pointText(point)}, 'progress');
        },
        onStep: (index, measured) => {
          const point = points.at(index);
          const steps = `step ${String(measured)} of ${String(config.steps)}`;
          if (point && measured > 0) tell({text: `${pointText(point)}: ${steps}`}, 'progress');
        },
        onResult: (index, result) => {
          this.#logProblem(index, result);
          tell({doneCount: ++done}, 'results');
        },
      },
    );
  }

  /** Records a profile of a point, saves it with the sweep, and returns its path. @throws Error with one sentence */
  async profile(sweep: KeptSweep, index: number, signal: AbortSignal): Promise<string> {
    const kept = await this.#withPoint(sweep, index, signal, async (point, surroundings) => {
      const {folder} = sweep;
      const slug = pointText(point)
        .replace(/[^\p{L}\p{N}.+]+/gu, '-')
        .slice(0, 80);
      const path = join('profiles', `${String(index)}-${slug}.pt.trace.json.gz`);
      await profilePoint(point, folder, join(folder, path), surroundings);
      await appendLine(folder, {kind: 'profile', index, path});
      return join(folder, path);
    });
    this.#changed.fire('results');
    return kept;
  }

  /** Returns the data types of one step of a point, and saves them with the sweep. @throws Error with one sentence */
  precision(sweep: KeptSweep, index: number, signal: AbortSignal): Promise<readonly PrecisionRow[]> {
    return this.#withPoint(sweep, index, signal, async (point, surroundings) => {
      const {folder} = sweep;
      const rows = await precisionOfPoint(point, folder, surroundings);
      await appendLine(folder, {kind: 'precision', index, rows});
      return rows;
    });
  }

  #withPoint<T>(
    {record}: KeptSweep,
    index: number,
    signal: AbortSignal,
    run: (point: SweepPoint, surroundings: PointSurroundings) => Promise<T>,
  ): Promise<T> {
    return this.#alone(async ({stop}) => {
      const point = record.results.get(index)?.point;
      if (!point) throw new TraceError('bench/no-results', vscode.l10n.t('That point has not been measured.'));
      const signals = AbortSignal.any([signal, stop.signal]);
      const surroundings = await this.#surroundings(record.config, record.name, signals);
      // Another window, or the command line, may be measuring the sweep.
      return withLock(workspaceOutput(), record.id, () => run(point, {...surroundings, onStep: () => undefined}));
    });
  }

  async #surroundings(given: unknown, name: string, signal: AbortSignal): Promise<Omit<PointSurroundings, 'onStep'>> {
    const config = parseSweepConfig(given, name);
    const folder = workspaceFolder();
    const hints = await interpreterHints(folder.uri);
    const own = {selected: null, setting: config.python, settingName: '"python" of the sweep'};
    const python = await findPython(config.python === null ? hints : {...hints, ...own});
    this.log.info(`Measuring with ${python.path}, chosen by ${python.chosenBy}`);
    return {
      config,
      python: python.path,
      program: vscode.Uri.joinPath(this.extensionUri, 'src', 'runner', 'bench.py').fsPath,
      cwd: folder.uri.fsPath,
      env: outerEnvironment(process.env),
      signal,
      onOutput: text => {
        for (const line of text.split(/[\r\n]+/)) if (line.trim() !== '') this.log.info(line);
      },
    };
  }

  #logProblem(index: number, {point, error, message}: PointResult): void {
    if (error !== null) this.log.warn(`Point ${String(index + 1)}, ${pointText(point)}: ${error}. ${message ?? ''}`);
  }
}

/** Returns the folder for the workspace's sweeps. @throws TraceError if no folder is open */
export function workspaceOutput(): string {
  return join(workspaceFolder().uri.fsPath, usualOutputFolder);
}

function workspaceFolder(): vscode.WorkspaceFolder {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder) return folder;
  throw new TraceError(
    'bench/no-results',
    vscode.l10n.t('Open a folder first: benchmarks run in it, and results are kept in it.'),
  );
}
