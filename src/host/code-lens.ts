import * as vscode from 'vscode';
import {lineTimingText, lineTimingTooltip} from '../core/format/line-timing.js';
import type {NamePattern} from '../core/source/name-pattern.js';
import type {SourceTag} from '../core/source/source-tag.js';
import {tagPatterns} from '../core/source/tag-patterns.js';
import type {EngineClient} from '../engine/client.js';
import {commandIds} from './command-ids.js';
import type {Log} from './log.js';
import type {OpenProfile, ProfileStore} from './profiles/profile-store.js';
import {readSettings, section} from './settings.js';

/** A longer text is no source that a person edits; parsing it would stall the editor. */
const longestText = 4_000_000;

/** The time of the active profile above each line that opens a tagged range. */
export class RangeCodeLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #tags = new WeakMap<vscode.TextDocument, {version: number; tags: SourceTag[]}>();
  readonly #listeners: vscode.Disposable;
  #shownKey: number | null = null;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {
    this.#listeners = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key === this.#shownKey) return;
        this.#shownKey = key;
        this.#changed.fire();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(section)) this.#changed.fire();
      }),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const profile = this.store.activeOpen;
    if (!profile || !readSettings(document.uri).codeLensEnabled) return [];
    const {path} = document.uri;
    const {sidecar} = profile.state;
    const tags = await this.#tagsOf(document);
    const lines = tags
      .map(tag => ({tag, patterns: tagPatterns(tag, path, sidecar)}))
      .filter(({patterns}) => patterns.length > 0);
    if (lines.length === 0) return [];
    try {
      return await this.#lenses(document, profile, lines);
    } catch (error) {
      this.log.warn(`No CodeLens for ${path}: ${String(error)}`);
      return [];
    }
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  async #lenses(
    document: vscode.TextDocument,
    profile: OpenProfile,
    lines: readonly {tag: SourceTag; patterns: readonly NamePattern[]}[],
  ): Promise<vscode.CodeLens[]> {
    const timings = await this.engine.ask('lines/timings', {
      profile: profile.state.summary.id,
      patterns: lines.map(({patterns}) => patterns),
    });
    return lines.flatMap(({tag, patterns}, index) => {
      const timing = timings[index];
      const title = timing ? lineTimingText(timing) : null;
      if (!timing || title === null) return [];
      const position = document.positionAt(tag.offset);
      const command: vscode.Command = {
        title,
        tooltip: lineTimingTooltip(timing),
        command: commandIds.showRangeInTimeline,
        arguments: [patterns],
      };
      return [new vscode.CodeLens(new vscode.Range(position, position), command)];
    });
  }

  async #tagsOf(document: vscode.TextDocument): Promise<SourceTag[]> {
    // The parser's tables are most of the extension's code: they wait until there is a profile and a Python file.
    const {findPythonTags} = await import('../source/python-tags.js');
    const known = this.#tags.get(document);
    if (known?.version === document.version) return known.tags;
    const text = document.getText();
    const tags = text.length > longestText ? [] : findPythonTags(text);
    this.#tags.set(document, {version: document.version, tags});
    return tags;
  }
}
