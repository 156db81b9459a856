import * as vscode from 'vscode';
import {tagAround} from '../core/source/tag-around.js';
import {tagPatterns} from '../core/source/tag-patterns.js';
import type {EngineClient} from '../engine/client.js';
import type {ProfileStore} from './profiles/profile-store.js';
import type {TimelineView} from './views/timeline-view.js';

/** The cursor rests this long before the timeline follows it. */
const restMs = 200;
/** A longer text is no source that a person edits; parsing it would stall the editor. */
const longestText = 4_000_000;

/** Lets the ranges of the block that the cursor is in stand out in the timeline; the others are dimmed. */
export class CursorHighlight implements vscode.Disposable {
  readonly #listener: vscode.Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = '[]';

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly timeline: TimelineView,
  ) {
    this.#listener = vscode.window.onDidChangeTextEditorSelection(({textEditor}) => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#follow(textEditor), restMs);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
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
    const text = document.getText();
    if (!profile || text.length > longestText) return [];
    // The parser's tables are most of the extension's code.
    const {findPythonTags} = await import('../source/python-tags.js');
    const tag = tagAround(findPythonTags(text), line);
    if (!tag) return [];
    const patterns = tagPatterns(tag, document.uri.path, profile.state.sidecar);
    const place = await this.engine.ask('range/places', {profile: profile.state.summary.id, patterns});
    return place?.names ?? [];
  }
}
