import type * as vscode from 'vscode';
import {commandIds} from '../base/command-ids.js';
import type {KeptSweep} from '../../launch/benchmark/sweep-files.js';
import type {Log} from '../base/log.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {benchmarkPanel, Panel} from '../views/view-panel.js';
import {BenchmarkActions} from './benchmark-actions.js';
import {BenchmarkConnection} from './benchmark-connection.js';
import {BenchmarkRunner} from './benchmark-runner.js';
import {BenchmarkSources, sweepKey, sweepsHere} from './benchmark-sources.js';

/** Creates the benchmark commands and panel, and what must be disposed of with them. */
export function createBenchmarkServices(
  {extensionUri}: vscode.ExtensionContext,
  store: ProfileStore,
  log: Log,
): {
  commands: Record<string, (...args: never[]) => unknown>;
  panel: Panel<BenchmarkConnection>;
  /** Returns the sweeps saved in the workspace, the latest first. */
  sweeps: () => Promise<KeptSweep[]>;
  /** Shows the sweep saved in a folder. */
  showSweep: (folder: string) => Promise<void>;
  disposables: {dispose: () => unknown}[];
} {
  const runner = new BenchmarkRunner(extensionUri, log);
  const sources = new BenchmarkSources(store);
  const actions = new BenchmarkActions(runner, sources, store, log, () => {
    panel.show();
  });
  const panel = new Panel(
    benchmarkPanel,
    extensionUri,
    webview => new BenchmarkConnection(webview, runner, sources, actions, log),
  );
  return {
    commands: {
      [commandIds.runBenchmark]: actions.run,
      [commandIds.showBenchmarks]: async () => {
        panel.show();
        if (sources.activeText !== null) await panel.connection?.show(sources.activeText);
      },
    },
    panel,
    sweeps: sweepsHere,
    showSweep: async folder => {
      panel.show();
      await panel.connection?.show(sweepKey(folder));
    },
    disposables: [runner],
  };
}
