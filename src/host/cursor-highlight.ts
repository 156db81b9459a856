import * as vscode from 'vscode';
import {tagAround} from '../core/source/tag-around.js';
import type {EngineClient} from '../engine/client.js';
import type {Annotations} from './annotations/annotations.js';
import {taggedDocuments} from './annotations/document-tags.js';
import type {OpenProfile, ProfileStore} from './profiles/profile-store.js';

/** The cursor rests this long before the timeline follows it. */
const restMs = 200;

/** Where the timeline of a profile is shown: in the panel, or as an editor of its file. */
export interface HighlightedTimeline {
  /** It has come into sight, with a page that is made anew. */
  readonly onDidShow: vscode.Event<void>;
  /** Whether it is in sight. */
  readonly isVisible: boolean;
  /** Lets what stands for ranges of these names stand out, where it shows the profile. */
  highlight(names: readonly string[], profile: OpenProfile): Promise<void>;
}

/** Lets the ranges of the block that the cursor is in stand out in the timeline; the others are dimmed. */
export class CursorHighlight implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the timeline was told last, and of which profile: a page that is made anew knows nothing of it. */
  #shown = '';
  #key: number | null = null;
  /** The profile in which names stand out: its editor stays in sight where another profile becomes the active one. */
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
    const profile = this.store.activeOpen;
    const isInSight = this.timelines.some(({isVisible}) => isVisible);
    if (!profile || !isInSight || vscode.languages.match(taggedDocuments, document) === 0) return;
    // An engine that is gone, or a profile that was closed meanwhile, lights nothing.
    const names = await this.#namesAt(document, profile, selection.active.line + 1).catch((): string[] => []);
    const key = JSON.stringify(names);
    // Another profile may have become the active one meanwhile.
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
