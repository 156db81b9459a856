import {join} from 'node:path';
import * as vscode from 'vscode';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import type {PointResult} from '../../core/benchmark/point-result.js';
import {parseSweepConfig} from '../../core/benchmark/parse-config.js';
import {sweepPoints} from '../../core/benchmark/sweep-points.js';
import {pointText} from '../../core/benchmark/point-text.js';
import {TraceError} from '../../core/errors.js';
import {precisionOfPoint, profilePoint, type PointSurroundings} from '../../launch/benchmark/run-point.js';
import {runSweep} from '../../launch/benchmark/run-sweep.js';
import {appendLine, type KeptSweep} from '../../launch/benchmark/sweep-files.js';
import {findPython} from '../../launch/python-interpreter.js';
import {usualOutputFolder} from '../../launch/run-folder.js';
import type {BenchmarkProgress} from '../../protocol/benchmark-messages.js';
import type {Log} from '../log.js';
import {selectedInterpreter} from '../run/python-extension.js';
import {readSettings} from '../settings.js';

/** A sweep as it is being measured. */
export interface RunningSweep {
  readonly folder: string;
  readonly progress: BenchmarkProgress;
}

/** Measures sweeps, one at a time, and profiles points of them. */
export class BenchmarkRunner implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<'results' | 'progress'>();
  readonly onDidChange = this.#changed.event;
  #running: {readonly stop: AbortController; sweep: RunningSweep | null} | null = null;

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
   * Measures a sweep, or goes on with it. Returns it as far as it came.
   *
   * @param given a config as JSON has it
   * @throws TraceError with one sentence
   */
  async run(given: unknown, name: string, isFresh: boolean): Promise<KeptSweep> {
    if (this.#running) throw new TraceError('bench/running', 'A sweep is being measured: wait for it, or cancel it.');
    const config = parseSweepConfig(given, name);
    const stop = new AbortController();
    const running: {stop: AbortController; sweep: RunningSweep | null} = {stop, sweep: null};
    this.#running = running;
    let done = 0;
    const tell = (progress: Partial<BenchmarkProgress>, what: 'results' | 'progress') => {
      if (running.sweep) running.sweep = {...running.sweep, progress: {...running.sweep.progress, ...progress}};
      this.#changed.fire(what);
    };
    try {
      const surroundings = await this.#surroundings(given, name, stop.signal);
      const points = sweepPoints(config);
      return await runSweep(
        {...surroundings, given, output: workspaceOutput(), isFresh},
        {
          onBegin: ({folder, record}) => {
            done = record.results.size;
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
    } finally {
      this.#running = null;
      this.#changed.fire('results');
    }
  }

  /** Records a profile of a point, keeps it with the sweep, and returns its path. @throws Error with one sentence */
  async profile({folder, record}: KeptSweep, index: number, signal: AbortSignal): Promise<string> {
    const point = record.results.get(index)?.point;
    if (!point) throw new TraceError('bench/no-results', 'That point has not been measured.');
    const surroundings = await this.#surroundings(record.config, record.name, signal);
    const slug = pointText(point)
      .replace(/[^\p{L}\p{N}.+]+/gu, '-')
      .slice(0, 80);
    const path = join('profiles', `${String(index)}-${slug}.pt.trace.json.gz`);
    const events = join(folder, `profile-${String(index)}.events.jsonl`);
    await profilePoint(point, events, join(folder, path), {...surroundings, onStep: () => undefined});
    await appendLine(folder, {kind: 'profile', index, path});
    this.#changed.fire('results');
    return join(folder, path);
  }

  /** The data types of one step of a point, which are kept with the sweep. @throws Error with one sentence */
  async precision({folder, record}: KeptSweep, index: number, signal: AbortSignal): Promise<readonly PrecisionRow[]> {
    const point = record.results.get(index)?.point;
    if (!point) throw new TraceError('bench/no-results', 'That point has not been measured.');
    const surroundings = await this.#surroundings(record.config, record.name, signal);
    const events = join(folder, `precision-${String(index)}.events.jsonl`);
    const rows = await precisionOfPoint(point, events, {...surroundings, onStep: () => undefined});
    await appendLine(folder, {kind: 'precision', index, rows});
    return rows;
  }

  async #surroundings(given: unknown, name: string, signal: AbortSignal): Promise<Omit<PointSurroundings, 'onStep'>> {
    const config = parseSweepConfig(given, name);
    const folder = workspaceFolder();
    const python = await findPython({
      selected: config.python === null ? await selectedInterpreter(folder.uri).catch(() => null) : null,
      setting: config.python ?? readSettings(folder.uri).python,
      ...(config.python !== null && {settingName: '"python" of the sweep'}),
      workspaceFolders: [folder.uri.fsPath],
    });
    this.log.info(`Measuring with ${python.path}, chosen by ${python.chosenBy}`);
    return {
      config,
      python: python.path,
      program: vscode.Uri.joinPath(this.extensionUri, 'src', 'runner', 'bench.py').fsPath,
      cwd: folder.uri.fsPath,
      env: withoutEditor(process.env),
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

/** Where sweeps of the workspace are kept. @throws TraceError where no folder is open */
export function workspaceOutput(): string {
  return join(workspaceFolder().uri.fsPath, usualOutputFolder);
}

function workspaceFolder(): vscode.WorkspaceFolder {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder) return folder;
  throw new TraceError('bench/no-results', 'Open a folder first: benchmarks run in it, and results are kept in it.');
}

/** What made the editor's own program a Node is nothing for those that it starts. */
function withoutEditor(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'ELECTRON_RUN_AS_NODE'));
}
