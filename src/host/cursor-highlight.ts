import * as vscode from 'vscode';
import {tagAround} from '../core/source/tag-around.js';
import type {EngineClient} from '../engine/client.js';
import type {Annotations} from './annotations/annotations.js';
import {taggedDocuments} from './annotations/document-tags.js';
import type {OpenProfile, ProfileStore} from './profiles/profile-store.js';
import {RestTimer} from './base/rest-timer.js';

/** The timeline follows the cursor after this pause. */
const restMs = 200;

/** A place that shows a profile's timeline: the panel, or an editor of its file. */
export interface HighlightedTimeline {
  /** Fires when it becomes visible with a new page. */
  readonly onDidShow: vscode.Event<void>;
  /** Whether it is visible. */
  readonly isVisible: boolean;
  /** Highlights the slices of ranges with these names, if it shows the profile. */
  highlight(names: readonly string[], profile: OpenProfile): Promise<void>;
}

/** Highlights the ranges of the block at the cursor in the timeline, and dims the others. */
export class CursorHighlight implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  readonly #rest = new RestTimer(restMs);
  /** The last message to the timeline, and its profile; a new page has received nothing. */
  #shown = '';
  #key: number | null = null;
  /** The profile with highlighted names: its editor stays visible when another profile becomes active. */
  #lit: OpenProfile | null = null;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly timelines: readonly HighlightedTimeline[],
    private readonly annotations: Pick<Annotations, 'namedTags'>,
  ) {
    this.#listener = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorSelection(({textEditor}) => {
        this.#followSoon(textEditor);
      }),
      ...timelines.map(({onDidShow}) =>
        onDidShow(() => {
          this.#begin();
        }),
      ),
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key === this.#key) return;
        this.#key = key;
        if (this.#lit && this.#lit.key !== key) void this.#tell([], this.#lit);
        this.#begin();
      }),
    );
  }

  dispose(): void {
    this.#rest.dispose();
    this.#listener.dispose();
  }

  #begin(): void {
    this.#shown = '';
    if (vscode.window.activeTextEditor) this.#followSoon(vscode.window.activeTextEditor);
  }

  #followSoon(editor: vscode.TextEditor): void {
    this.#rest.whenStill(() => void this.#follow(editor));
  }

  async #follow({document, selection}: vscode.TextEditor): Promise<void> {
    const profile = this.store.activeOpen;
    const isInSight = this.timelines.some(({isVisible}) => isVisible);
    if (!profile || !isInSight || vscode.languages.match(taggedDocuments, document) === 0) return;
    // If the engine is gone or the profile was closed, nothing is highlighted.
    const names = await this.#namesAt(document, profile, selection.active.line + 1).catch((): string[] => []);
    const key = JSON.stringify(names);
    // Another profile may be active by now.
    if (key === this.#shown || !this.#isActive(profile)) return;
    this.#shown = key;
    await this.#tell(names, profile);
  }

  #isActive({key}: OpenProfile): boolean {
    return this.store.activeOpen?.key === key;
  }

  async #tell(names: readonly string[], profile: OpenProfile): Promise<void> {
    this.#lit = names.length > 0 ? profile : null;
    const inSight = this.timelines.filter(({isVisible}) => isVisible);
    await Promise.all(inSight.map(timeline => timeline.highlight(names, profile)));
  }

  async #namesAt(document: vscode.TextDocument, profile: OpenProfile, line: number): Promise<readonly string[]> {
    const named = await this.annotations.namedTags(document, profile);
    const tag = tagAround(
      named.map(one => one.tag),
      line,
    );
    const patterns = named.find(one => one.tag === tag)?.patterns;
    if (!patterns) return [];
    const place = await this.engine.ask('range/places', {profile: profile.state.summary.id, patterns});
    return place?.names ?? [];
  }
}
