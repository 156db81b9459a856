import * as vscode from 'vscode';
import {formatPercent} from '../../core/format/duration.js';
import {scopeText} from '../../core/text/line-timing.js';
import {heatBadge} from '../../core/lines/line-heat.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {EngineClient} from '../../engine/client.js';
import {LastAnswer} from '../base/last-answer.js';
import type {Log} from '../base/log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings, section} from '../base/settings.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';
import {RestTimer} from '../base/rest-timer.js';

/** The figures of each file's ranges, by the path that the runner wrote. */
type FileShares = ReadonlyMap<string, LineTiming>;

/** Files are read in batches: badges are updated once a batch is read. */
const indexRestMs = 500;

/**
 * Badges on files that opened ranges: their share of all work, each operation once, in whole per cent. If no runner saw
 * which file opened a range, the current tags decide.
 */
export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #listener: vscode.Disposable;
  #shownKey: number | null = null;
  readonly #shares = new LastAnswer<FileShares>();
  /** Answers for profiles without a runner, by question, in one profile and scope. */
  #ofTags: {readonly key: string; readonly answers: Map<string, Promise<LineTiming | null>>} | null = null;
  readonly #rest = new RestTimer(indexRestMs);

  constructor(
    private readonly store: ProfileStore,
    private readonly scopes: Pick<ProfileScopes, 'of' | 'onDidChange'>,
    private readonly engine: EngineClient,
    private readonly workspace: Pick<WorkspaceIndex, 'whenRead' | 'onDidChange'>,
    private readonly files: Pick<RecordedFiles, 'pathOf' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.#listener = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key !== this.#shownKey) this.#changed.fire(undefined);
        this.#shownKey = key;
      }),
      scopes.onDidChange(() => {
        this.#changed.fire(undefined);
      }),
      workspace.onDidChange(() => {
        if (store.activeOpen?.state.sidecar === null) this.#changeSoon();
      }),
      files.onDidChange(() => {
        this.#changeSoon();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(`${section}.lineMarks`)) this.#changed.fire(undefined);
      }),
    );
  }

  /** VS Code calls this for visible files; the first call reads the profile's figures. */
  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const profile = this.store.activeOpen;
    if (!profile || uri.scheme !== 'file' || !readSettings(uri).marksLines) return undefined;
    const timing = profile.state.sidecar ? await this.#ofRunner(uri, profile) : await this.#ofIndex(uri, profile);
    const badge = timing ? heatBadge(timing) : '';
    if (!timing || badge === '' || !this.#isShown(profile)) return undefined;
    const scope = this.scopes.of(profile);
    const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, allGpuWorkNs, cpuWallNs, allWallNs} = timing;
    const share = isGpuProfile
      ? vscode.l10n.t('{0} of the GPU work', formatPercent(gpuWorkNs + backwardGpuWorkNs, allGpuWorkNs))
      : vscode.l10n.t('{0} of the wall time', formatPercent(cpuWallNs, allWallNs));
    return new vscode.FileDecoration(
      badge,
      vscode.l10n.t('GPU Lens: the ranges of this file have {0}', `${share}${scope ? `, ${scopeText(scope)}` : ''}`),
    );
  }

  dispose(): void {
    this.#rest.dispose();
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #changeSoon(): void {
    this.#rest.whenStill(() => {
      if (this.store.activeOpen) this.#changed.fire(undefined);
    });
  }

  #isShown({key}: OpenProfile): boolean {
    return this.store.activeOpen?.key === key;
  }

  async #ofRunner(uri: vscode.Uri, profile: OpenProfile): Promise<LineTiming | null> {
    const recorded = this.files.pathOf(uri, profile);
    return recorded === null ? null : ((await this.#sharesOf(profile)).get(recorded) ?? null);
  }

  async #ofIndex(uri: vscode.Uri, profile: OpenProfile): Promise<LineTiming | null> {
    const tags = (await this.workspace.whenRead()).tagsIn(uri.fsPath);
    const patterns = [...new Map(tags.map(({pattern}) => [JSON.stringify(pattern), pattern])).values()];
    const names = patterns.filter(pattern => pattern !== null);
    if (names.length === 0) return null;
    const of: TimingScope = this.scopes.of(profile) ?? 'steps';
    const key = JSON.stringify([profile.key, of]);
    if (this.#ofTags?.key !== key) this.#ofTags = {key, answers: new Map()};
    const {answers} = this.#ofTags;
    const question = JSON.stringify(names);
    return getOrAdd(answers, question, async () => {
      try {
        const asked = {profile: profile.state.summary.id, patterns: [names], of};
        const [timing] = await this.engine.ask('lines/timings', asked);
        return timing && timing.nameCount > 0 ? timing : null;
      } catch (error) {
        this.log.warn(`No badge: ${String(error)}`);
        answers.delete(question);
        return null;
      }
    });
  }

  #sharesOf(profile: OpenProfile): Promise<FileShares> {
    const of = this.scopes.of(profile) ?? 'steps';
    return this.#shares.to(
      JSON.stringify([profile.key, of]),
      () => this.#read(profile, of),
      error => {
        this.log.warn(`No badges: ${String(error)}`);
        return new Map();
      },
    );
  }

  async #read({state}: OpenProfile, of: TimingScope): Promise<FileShares> {
    const namesOf = new Map<string, Set<string>>();
    for (const {file, name} of state.sidecar?.sites ?? []) getOrAdd(namesOf, file, () => new Set()).add(name);
    const files = [...namesOf.keys()];
    if (files.length === 0) return new Map();
    const patterns = [...namesOf.values()].map(names => [...names].map(name => [name]));
    const timings = await this.engine.ask('lines/timings', {profile: state.summary.id, patterns, of});
    return new Map(timings.map((timing, at) => [files[at] ?? '', timing]));
  }
}
