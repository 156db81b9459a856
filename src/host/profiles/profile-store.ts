import {stat} from 'node:fs/promises';
import {basename} from 'node:path';
import * as vscode from 'vscode';
import {describeError, storyOf, type TraceErrorCode} from '../../core/base/errors.js';
import type {CompiledGraphs} from '../../core/questions/compiled-graphs.js';
import type {SketchPicture} from '../../core/questions/trace-sketch.js';
import {sidecarNotes, type KernelSite, type Sidecar} from '../../core/source/sidecar.js';
import type {EngineClient} from '../../engine/client.js';
import {kernelSitesBeside} from '../../launch/compiled/compile-debug.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import type {ProfileSummary} from '../../protocol/engine-messages.js';
import type {Log} from '../base/log.js';
import type {MakeReadable} from './report-exporter.js';

/** A profile that was requested, in any state. */
export interface ProfileEntry {
  /** New each time the file is opened. */
  readonly key: number;
  readonly path: string;
  readonly name: string;
  /** Size and time of the file when it was opened; a difference means that the file has changed. */
  readonly stamp: string;
  readonly state: ProfileState;
}

type ProfileState =
  | {
      readonly kind: 'opening';
      /** A report is exported before it is read. */
      readonly step: 'export' | 'read';
      readonly fraction: number;
      readonly events: number;
      /** What has been read so far; null before the first picture. */
      readonly picture: SketchPicture | null;
    }
  | {
      readonly kind: 'open';
      readonly summary: ProfileSummary;
      readonly sidecar: Sidecar | null;
      readonly kernels: readonly KernelSite[];
    }
  | {readonly kind: 'failed'; readonly code: TraceErrorCode; readonly message: string};

/** A profile that is open. */
export type OpenProfile = ProfileEntry & {readonly state: Extract<ProfileState, {kind: 'open'}>};

interface MutableEntry extends ProfileEntry {
  state: ProfileState;
  readonly cancel: AbortController;
  readonly done: Promise<void>;
  /** Number of callers that wait for the opening. */
  waiting: number;
}

/** The window's profiles. CodeLens and the panel show the active one. */
export class ProfileStore implements vscode.Disposable {
  readonly #entries = new Map<string, MutableEntry>();
  /** The turn of the last request to show a file, which may not have an entry yet. */
  readonly #askedTurns = new Map<string, number>();
  #turn = 0;
  #activePath: string | null = null;
  #nextKey = 1;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when an entry or the choice of the active one changed. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly makeReadable: MakeReadable,
    private readonly log: Log,
  ) {}

  get active(): ProfileEntry | null {
    return this.#activePath === null ? null : (this.#entries.get(this.#activePath) ?? null);
  }

  /** The active profile, if it is open. */
  get activeOpen(): OpenProfile | null {
    const {active} = this;
    return active && isOpen(active) ? active : null;
  }

  get open(): readonly OpenProfile[] {
    return [...this.#entries.values()].filter((entry): entry is MutableEntry & OpenProfile => isOpen(entry));
  }

  entry(path: string): ProfileEntry | null {
    return this.#entries.get(path) ?? null;
  }

  /** Returns the open profile with this key; null if it was closed, since a view may still ask about it. */
  byKey(key: number): OpenProfile | null {
    return this.open.find(entry => entry.key === key) ?? null;
  }

  /**
   * Opens a file, or waits for its current opening unless that was cancelled. The profile then becomes active, unless a
   * later request has become active first. A profile that failed, or whose file has changed, is read again. A file that
   * cannot be opened does not replace the active one.
   *
   * Resolves when the entry is no longer "opening"; the entry holds the outcome.
   *
   * @param place "free": it becomes active only if no other profile has become active meanwhile
   */
  async openFile(path: string, place: 'any' | 'free' = 'any'): Promise<ProfileEntry> {
    if (place === 'any') this.#ask(path);
    const entry = this.#entryFor(path, await stampOf(path));
    if (!this.activeOpen && this.#isDue(entry)) this.#show(path);
    entry.waiting++;
    await entry.done;
    entry.waiting--;
    // If it was closed meanwhile, it must not become active again.
    if (this.#entries.get(path) === entry) this.#settle(entry);
    return entry;
  }

  /**
   * Returns the entry of a file in its present version: the existing one, unless it failed, its opening was cancelled,
   * or the file has changed.
   */
  #entryFor(path: string, stamp: string): MutableEntry {
    const known = this.#entries.get(path);
    if (known?.state.kind === 'open' && known.stamp === stamp) return known;
    // A cancelled opening ends once its program has, which may take seconds.
    if (known?.state.kind === 'opening' && !known.cancel.signal.aborted) return known;
    const entry = this.#begin(path, stamp);
    void this.#release(known);
    return entry;
  }

  /** Reports an opening's outcome, and makes it active unless something else was requested later. */
  #settle(entry: MutableEntry): void {
    if (isOpen(entry) && this.#isDue(entry)) this.#show(entry.path);
    else if (isOpen(entry)) this.#changed.fire();
    else if (this.#activePath === entry.path) this.#activateLast();
  }

  /** Makes a profile active: at once if it is open, or as soon as it has opened. */
  activate(path: string): void {
    this.#ask(path);
    const entry = this.#entries.get(path);
    if (!entry || entry.state.kind === 'failed') return;
    if (isOpen(entry) || !this.activeOpen) this.#show(path);
  }

  #ask(path: string): void {
    this.#askedTurns.set(path, ++this.#turn);
  }

  /** 0: nobody has requested it. */
  #askedTurn({path}: ProfileEntry): number {
    return this.#askedTurns.get(path) ?? 0;
  }

  /** Returns whether no later request is shown. An open profile may be shown until a later one has opened. */
  #isDue(entry: MutableEntry): boolean {
    const shown = this.#activePath === null ? undefined : this.#entries.get(this.#activePath);
    return !shown || this.#askedTurn(shown) <= this.#askedTurn(entry) || (isOpen(entry) && !isOpen(shown));
  }

  #show(path: string): void {
    this.#activePath = path;
    this.#changed.fire();
  }

  cancelOpening(path: string): void {
    this.#entries.get(path)?.cancel.abort();
  }

  /** Called when a caller no longer waits for an opening, which ends if nobody else waits. */
  leaveOpening(path: string): void {
    const entry = this.#entries.get(path);
    if (entry?.state.kind === 'opening' && entry.waiting <= 1) entry.cancel.abort();
  }

  async close(path: string): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) return;
    entry.cancel.abort();
    this.#entries.delete(path);
    this.#askedTurns.delete(path);
    if (this.#activePath === path) this.#activateLast();
    else this.#changed.fire();
    await this.#release(entry);
  }

  dispose(): void {
    for (const entry of this.#entries.values()) entry.cancel.abort();
    this.#changed.dispose();
  }

  #activateLast(): void {
    const left = [...this.#entries.values()].filter(({state}) => state.kind !== 'failed');
    const open = left.filter(isOpen);
    const last = (open.length > 0 ? open : left).sort((a, b) => this.#askedTurn(a) - this.#askedTurn(b)).at(-1);
    this.#activePath = last?.path ?? null;
    this.#changed.fire();
  }

  /** Returns where a profile says that its compiled graphs are; if the engine fails, it is shown without their lines. */
  #graphsOf({id}: ProfileSummary): Promise<CompiledGraphs | null> {
    return this.engine.ask('profile/compiled-graphs', {profile: id}).catch(() => null);
  }

  /** Frees the engine's memory, unless the engine has died. */
  async #release(entry: ProfileEntry | undefined): Promise<void> {
    if (!entry || !isOpen(entry)) return;
    await this.engine.ask('profile/close', {profile: entry.state.summary.id}).catch(() => undefined);
  }

  #begin(path: string, stamp: string): MutableEntry {
    const cancel = new AbortController();
    let finish = (): void => undefined;
    const entry: MutableEntry = {
      key: this.#nextKey++,
      path,
      name: basename(path),
      stamp,
      waiting: 0,
      state: {kind: 'opening', step: 'read', fraction: 0, events: 0, picture: null},
      cancel,
      done: new Promise<void>(resolve => (finish = resolve)),
    };
    this.#entries.set(path, entry);
    void this.#read(entry).finally(() => {
      if (this.#entries.get(path) === entry) this.#changed.fire();
      finish();
    });
    return entry;
  }

  async #read(entry: MutableEntry): Promise<void> {
    const {signal} = entry.cancel;
    let picture: SketchPicture | null = null;
    const report = (step: 'export' | 'read', fraction: number, events: number) => {
      entry.state = {kind: 'opening', step, fraction, events, picture};
      this.#changed.fire();
    };
    try {
      const path = await this.makeReadable(entry.path, {
        signal,
        onProgress: fraction => {
          report('export', fraction, 0);
        },
      });
      const summary = await this.engine.open(
        {path},
        {
          signal,
          onProgress: ({bytes, totalBytes, events, picture: newer}) => {
            picture = newer ?? picture;
            report('read', totalBytes > 0 ? bytes / totalBytes : 0, events);
          },
        },
      );
      const sidecar = await readSidecar(entry.path);
      // The profile names this folder, so it is not read in an untrusted workspace.
      const kernels = await kernelSitesBeside(entry.path, sidecar, async () =>
        vscode.workspace.isTrusted ? this.#graphsOf(summary) : null,
      );
      const withRun = withNotes(summary, sidecar);
      entry.state = {kind: 'open', summary: withRun, sidecar, kernels};
      this.log.info(`Opened ${entry.path}`);
      for (const {text} of withRun.info.notes) this.log.info(`${entry.name}: ${text}`);
      // If it was closed while it was being opened, nobody else would free its memory.
      if (this.#entries.get(entry.path) !== entry) await this.engine.ask('profile/close', {profile: summary.id});
    } catch (error) {
      entry.state = {kind: 'failed', ...describeError(error, 'internal')};
      const isOurs = entry.state.code === 'internal';
      this.log.error(`${entry.path}: ${isOurs ? storyOf(error) : entry.state.message}`);
    }
  }
}

function isOpen(entry: ProfileEntry): entry is OpenProfile {
  return entry.state.kind === 'open';
}

/** Returns a text that changes with the file; "" if the file cannot be inspected, which the opening will explain. */
async function stampOf(path: string): Promise<string> {
  return stat(path).then(
    ({size, mtimeMs}) => `${String(size)} ${String(mtimeMs)}`,
    () => '',
  );
}

/** Notes about the recording come before notes about the contents. */
function withNotes(summary: ProfileSummary, sidecar: Sidecar | null): ProfileSummary {
  const notes = [...(sidecar ? sidecarNotes(sidecar) : []), ...summary.info.notes];
  return {...summary, info: {...summary.info, notes}};
}
