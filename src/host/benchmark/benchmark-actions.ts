import {join} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/errors.js';
import {showFailure, type Log} from '../log.js';
import {showInformation} from '../messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';
import {askSweep, type GivenSweep} from './ask-sweep.js';
import type {BenchmarkRunner} from './benchmark-runner.js';
import type {BenchmarkSources} from './benchmark-sources.js';

/** What the commands and the buttons of the view do. A failure is one sentence. */
export class BenchmarkActions {
  constructor(
    private readonly runner: BenchmarkRunner,
    private readonly sources: BenchmarkSources,
    private readonly store: ProfileStore,
    private readonly log: Log,
    private readonly show: () => void,
  ) {}

  /** "Run benchmark": measures what the user chooses, or the sweep in a file. */
  readonly run = (file?: unknown): Promise<void> =>
    this.#guarded(async () => {
      if (this.runner.isRunning) {
        this.show();
        const choice = await showInformation('A sweep is being measured.', 'Cancel It');
        if (choice === 'Cancel It') this.runner.cancel();
        return;
      }
      const sweep = await askSweep(file instanceof vscode.Uri ? file : null);
      if (sweep) await this.#measure(sweep, true);
    });

  /** Measures the points of a kept sweep that have no result. */
  goOn(key: string): Promise<void> {
    return this.#guarded(async () => {
      const sweep = await this.sources.sweep(key);
      if (!sweep) throw gone();
      await this.#measure({given: sweep.record.config, name: sweep.record.name}, false);
    });
  }

  /** Opens the profile of a point; one that has none is profiled first. */
  profile(key: string, id: number): Promise<void> {
    return this.#guarded(async () => {
      const sweep = await this.sources.sweep(key);
      if (!sweep) throw gone();
      const kept = sweep.record.profiles.get(id);
      const path = kept === undefined ? await this.#take(key, id) : join(sweep.folder, kept);
      if (path === null) return;
      const entry = await openWithProgress(this.store, this.log, path);
      if (entry) await TimelineView.show();
    });
  }

  async #measure({given, name}: GivenSweep, isFresh: boolean): Promise<void> {
    this.show();
    const {record, folder} = await this.runner.run(given, name, isFresh);
    this.log.info(`${String(record.results.size)} points are kept in ${folder}`);
  }

  async #take(key: string, id: number): Promise<string | null> {
    const sweep = await this.sources.sweep(key);
    if (!sweep) throw gone();
    if (this.runner.isRunning)
      throw new TraceError(
        'bench/running',
        'A sweep is being measured, which a profile would disturb: wait for it, or cancel it.',
      );
    return vscode.window.withProgress(
      {location: vscode.ProgressLocation.Notification, cancellable: true, title: 'Profiling the point'},
      async (_, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => {
          stop.abort();
        });
        try {
          return await this.runner.profile(sweep, id, stop.signal);
        } catch (error) {
          if (stop.signal.aborted) return null;
          throw error;
        }
      },
    );
  }

  async #guarded(act: () => Promise<void>): Promise<void> {
    try {
      if (!vscode.workspace.isTrusted) {
        void vscode.window.showWarningMessage('GPU Lens runs benchmarks only in a trusted workspace.');
        return;
      }
      await act();
    } catch (error) {
      await showFailure(this.log, error);
    }
  }
}

function gone(): TraceError {
  return new TraceError('bench/no-results', 'That sweep is no longer there.');
}
