import {basename} from 'node:path';
import * as vscode from 'vscode';
import {environmentDifferences} from '../../core/benchmark/environment-differences.js';
import {measurementOf} from '../../core/benchmark/measurement.js';
import {textMeasurements, type MeasurementSet} from '../../core/benchmark/text-measurements.js';
import {isKeptHere, keptSweeps, readSweep, type KeptSweep} from '../../launch/benchmark/sweep-files.js';
import type {BenchmarkSource} from '../../protocol/benchmark-messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {workspaceOutput} from './benchmark-runner.js';

/** Sources of the benchmark view: sweeps saved in the workspace, and open texts with tables. */
export class BenchmarkSources {
  constructor(private readonly store: ProfileStore) {}

  /** Returns texts first, then sweeps, the latest first. */
  async list(): Promise<BenchmarkSource[]> {
    const sweeps = await sweepsHere();
    return [
      ...this.#texts().map(({path, name}) => ({key: textKey(path), title: name})),
      ...sweeps.map(({folder, record}) => ({key: sweepKey(folder), title: sweepTitle({folder, record})})),
    ];
  }

  /** Returns the sweep of a key; null if the key is another source's, or the sweep is gone. Only saved sweeps have keys. */
  async sweep(key: string): Promise<KeptSweep | null> {
    if (!vscode.workspace.workspaceFolders?.length || !key.startsWith(sweepKeyBegins)) return null;
    const folder = key.slice(sweepKeyBegins.length);
    return isKeptHere(workspaceOutput(), folder) ? readSweep(folder) : null;
  }

  /** Returns the measurements in an open text; null if the key is another source's. */
  text(key: string): readonly MeasurementSet[] | null {
    const text = this.#texts().find(({path}) => textKey(path) === key);
    return text ? textMeasurements(text.state.summary.info.benchmarks ?? []) : null;
  }

  /** The key of the active profile if it is a text with benchmarks. */
  get activeText(): string | null {
    const active = this.store.activeOpen;
    return active?.state.summary.info.benchmarks?.length ? textKey(active.path) : null;
  }

  #texts() {
    return this.store.open.filter(({state}) => (state.summary.info.benchmarks?.length ?? 0) > 0);
  }
}

const sweepKeyBegins = 'sweep ';

export function sweepKey(folder: string): string {
  return sweepKeyBegins + folder;
}

/** Returns the measurements of a sweep in the order of its points. */
export function sweepSet({record}: KeptSweep): MeasurementSet {
  const results = Array.from(record.results).sort(([a], [b]) => a - b);
  const lost = record.badLines > 0 ? `${String(record.badLines)} lines of the file could not be read.` : null;
  const notes = [lost, environmentDifferences(record.results.values())].filter(note => note !== null);
  const note = notes.length > 0 ? notes.join(' ') : null;
  return {title: record.name, note, measurements: results.map(([index, result]) => measurementOf(index, result))};
}

function textKey(path: string): string {
  return `text ${path}`;
}

function sweepTitle({folder, record}: KeptSweep): string {
  const at = record.startedAt.slice(0, 16).replace('T', ' ');
  return `${record.name || basename(folder)}, ${at} UTC`;
}

/** Returns the workspace's sweeps, the latest first. A window without a folder has none, which is not an error. */
export function sweepsHere(): Promise<KeptSweep[]> {
  return vscode.workspace.workspaceFolders?.length ? keptSweeps(workspaceOutput()) : Promise.resolve([]);
}
