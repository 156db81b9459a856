import * as vscode from 'vscode';
import {tagAround} from '../core/source/tag-around.js';
import type {EngineClient} from '../engine/client.js';
import type {Annotations} from './annotations/annotations.js';
import type {ProfileStore} from './profiles/profile-store.js';
import type {TimelineView} from './views/timeline-view.js';

/** The cursor rests this long before the timeline follows it. */
const restMs = 200;

/** Lets the ranges of the block that the cursor is in stand out in the timeline; the others are dimmed. */
export class CursorHighlight implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the timeline was told last, and of which profile: a page that is made anew knows nothing of it. */
  #shown = '';
  #key: number | null = null;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly timeline: TimelineView,
    private readonly annotations: Pick<Annotations, 'namedTags'>,
  ) {
    this.#listener = vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorSelection(({textEditor}) => {
        this.#followSoon(textEditor);
      }),
      timeline.onDidShow(() => {
        this.#begin();
      }),
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key !== this.#key) this.#begin();
        this.#key = key;
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
  }

  #begin(): void {
    this.#shown = '';
    if (vscode.window.activeTextEditor) this.#followSoon(vscode.window.activeTextEditor);
  }

  #followSoon(editor: vscode.TextEditor): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#follow(editor), restMs);
  }

  async #follow({document, selection}: vscode.TextEditor): Promise<void> {
    if (document.languageId !== 'python' || !this.timeline.isVisible || !this.store.activeOpen) return;
    // An engine that is gone, or a profile that was closed meanwhile, lights nothing.
    const names = await this.#namesAt(document, selection.active.line + 1).catch((): string[] => []);
    const key = JSON.stringify(names);
    if (key === this.#shown) return;
    this.#shown = key;
    await this.timeline.highlight(names);
  }

  async #namesAt(document: vscode.TextDocument, line: number): Promise<readonly string[]> {
    const profile = this.store.activeOpen;
    if (!profile) return [];
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
