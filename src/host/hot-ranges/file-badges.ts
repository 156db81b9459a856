import * as vscode from 'vscode';
import {formatPercent} from '../../core/format/duration.js';
import {shareBadge} from '../../core/format/share-badge.js';
import {shareOfLine} from '../../core/layout/line-heat.js';
import type {LineTiming} from '../../core/queries/line-timings.js';
import type {EngineClient} from '../../engine/client.js';
import type {Log} from '../log.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings, section} from '../settings.js';
import {recordedPathOf} from '../source/recorded-files.js';

/** What the ranges of a file have. */
interface FileShare {
  /** Path as the runner wrote it. */
  readonly file: string;
  readonly timing: LineTiming;
}

/** Badges on files that opened ranges: their share of all work, each operation once, in whole per cent. */
export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #listener: vscode.Disposable;
  #shares: readonly FileShare[] = [];
  #key: number | null = null;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {
    this.#listener = vscode.Disposable.from(
      store.onDidChange(() => void this.#load()),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(`${section}.lineMarks`)) this.#changed.fire(undefined);
      }),
    );
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== 'file' || !readSettings(uri).marksLines) return undefined;
    if (this.#shares.length === 0) return undefined;
    const recorded = recordedPathOf(uri, this.store.activeOpen?.state.sidecar ?? null);
    const found = this.#shares.find(({file}) => file === recorded);
    const badge = found ? shareBadge(shareOfLine(found.timing)) : '';
    if (!found || badge === '') return undefined;
    const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs, cpuWallNs, allWallNs} = found.timing;
    const share = isGpuProfile
      ? `${formatPercent(gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs)} of the GPU work`
      : `${formatPercent(cpuWallNs, allWallNs)} of the wall time`;
    return new vscode.FileDecoration(badge, `GPU Lens: the ranges of this file have ${share}`);
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  async #load(): Promise<void> {
    const profile = this.store.activeOpen;
    const key = profile?.key ?? null;
    if (key === this.#key) return;
    this.#key = key;
    const shares = profile ? await this.#sharesOf(profile) : [];
    if (this.#key !== key) return;
    this.#shares = shares;
    this.#changed.fire(undefined);
  }

  async #sharesOf({state}: OpenProfile): Promise<FileShare[]> {
    const sites = state.sidecar?.sites ?? [];
    const files = [...new Set(sites.map(({file}) => file))];
    if (files.length === 0) return [];
    const patterns = files.map(file => sites.filter(site => site.file === file).map(({name}) => [name]));
    try {
      const timings = await this.engine.ask('lines/timings', {profile: state.summary.id, patterns, of: 'steps'});
      return timings.map((timing, at) => ({file: files[at] ?? '', timing}));
    } catch (error) {
      this.log.warn(`No badges: ${String(error)}`);
      return [];
    }
  }
}
