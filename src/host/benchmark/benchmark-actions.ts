import {join} from 'node:path';
import * as vscode from 'vscode';
import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import {TraceError} from '../../core/base/errors.js';
import type {SweepRequest} from '../../launch/benchmark/run-sweep.js';
import type {KeptSweep} from '../../launch/benchmark/sweep-files.js';
import {withCancel, type Cancellable} from '../base/cancellable.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {TimelineView} from '../views/timeline-view.js';
import {askSweep, type GivenSweep} from './ask-sweep.js';
import type {BenchmarkRunner} from './benchmark-runner.js';
import type {BenchmarkSources} from './benchmark-sources.js';

/** The actions of the benchmark commands and buttons. A failure is shown as one sentence. */
export class BenchmarkActions {
  constructor(
    private readonly runner: BenchmarkRunner,
    private readonly sources: BenchmarkSources,
    private readonly store: ProfileStore,
    private readonly log: Log,
    private readonly show: () => void,
  ) {}

  /** "Run benchmark": measures what the user chooses, or the sweep in a file. */
  readonly run = (file?: unknown): Promise<unknown> =>
    this.#guarded(async () => {
      if (this.runner.isRunning) {
        this.show();
        const cancel = vscode.l10n.t('Cancel It');
        const choice = await showInformation(vscode.l10n.t('A sweep is being measured, or a point profiled.'), cancel);
        if (choice === cancel) this.runner.cancel();
        return;
      }
      const sweep = await askSweep(file instanceof vscode.Uri ? file : null);
      if (sweep) await this.#measure(sweep, 'none');
    });

  /** Measures the points of a saved sweep that have no result. */
  goOn(key: string): Promise<unknown> {
    return this.#guarded(async () => {
      const sweep = await this.#sweep(key);
      const {folder, record} = sweep;
      await this.#measure({given: record.config, name: record.name}, {folder});
    });
  }

  /** Opens the profile of a point; profiles the point first if it has none. */
  profile(key: string, id: number): Promise<unknown> {
    return this.#guarded(async () => {
      const sweep = await this.#sweep(key);
      const kept = sweep.record.profiles.get(id);
      const take = ({signal}: Cancellable) => this.runner.profile(sweep, id, signal);
      const path =
        kept === undefined ? await withCancel(vscode.l10n.t('Profiling the point'), take) : join(sweep.folder, kept);
      if (path === null) return;
      const entry = await openWithProgress(this.store, this.log, path);
      if (entry) await TimelineView.show();
    });
  }

  async #measure({given, name}: GivenSweep, earlier: SweepRequest['earlier']): Promise<void> {
    this.show();
    const {record, folder} = await this.runner.run(given, name, earlier);
    this.log.info(`${String(record.results.size)} points are kept in ${folder}`);
  }

  /** Returns the data types of one step of a point; empty if cancelled or failed. A failure is shown. */
  async precision(key: string, id: number): Promise<readonly PrecisionRow[]> {
    const rows = await this.#guarded(async () => {
      const sweep = await this.#sweep(key);
      const look = ({signal}: Cancellable) => this.runner.precision(sweep, id, signal);
      return (
        sweep.record.precision.get(id) ??
        (await withCancel(vscode.l10n.t('Looking at the data types of the point'), look))
      );
    });
    return rows ?? [];
  }

  /** @throws TraceError `bench/no-results` if the sweep no longer exists */
  async #sweep(key: string): Promise<KeptSweep> {
    const sweep = await this.sources.sweep(key);
    if (!sweep) throw new TraceError('bench/no-results', vscode.l10n.t('That sweep is no longer there.'));
    return sweep;
  }

  /** Returns the action's result; null if it failed. The failure is shown. */
  async #guarded<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      if (!vscode.workspace.isTrusted) {
        void vscode.window.showWarningMessage(vscode.l10n.t('GPU Lens runs benchmarks only in a trusted workspace.'));
        return null;
      }
      return await act();
    } catch (error) {
      await showFailure(this.log, error);
      return null;
    }
  }
}
