import {basename, dirname} from 'node:path';
import * as vscode from 'vscode';
import {lineComparison} from '../../core/text/line-comparison.js';
import {markdownText} from '../../core/format/markdown-text.js';
import type {NamePattern} from '../../core/names/name-pattern.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {EarlierRun} from './earlier-run.js';

const scheme = 'gpu-lens-comparison';

/** "Compare with last run": shows a line's ranges in the active profile and in the script's previous run, side by side. */
export class RunComparison implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly #texts = new Map<string, string>();
  #shownCount = 0;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly earlier: EarlierRun,
    private readonly log: Log,
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? vscode.l10n.t('This comparison was of another session: ask for it again.');
  }

  /** Opens the comparison of ranges with one of these names, or says why there is none. */
  readonly show = async (patterns: readonly NamePattern[]): Promise<void> => {
    const profile = this.store.activeOpen;
    if (!profile) return;
    try {
      const [now, before, path] = await Promise.all([
        this.engine.ask('lines/details', {profile: profile.state.summary.id, patterns, of: 'steps'}),
        this.earlier.details(profile, patterns),
        this.earlier.path(profile),
      ]);
      if (!before || path === null) {
        await showInformation(
          profile.state.summary.steps.length < 2
            ? vscode.l10n.t('This profile has fewer than two steps: runs are compared by steps.')
            : vscode.l10n.t('No earlier run of this script is known: profile it again, and the two are compared.'),
        );
        return;
      }
      const earlier = vscode.l10n.t('Run before: {0}', runText(path));
      const runs = `${earlier}  \n${vscode.l10n.t('This run: {0}', runText(profile.path))}`;
      await this.#open(now.timing.names[0]?.name ?? 'range', `${lineComparison(now, before)}\n\n${runs}\n`);
    } catch (error) {
      await showFailure(this.log, error);
    }
  };

  dispose(): void {
    this.#registration.dispose();
  }

  async #open(name: string, text: string): Promise<void> {
    const file = name.replace(/[^\p{L}\p{N} _.-]+/gu, '_').slice(0, 60);
    // A new address each time: a hidden preview may lose a new text of its address (see `MarkdownPages`).
    const uri = vscode.Uri.from({scheme, path: `/${file}, two runs.md`, query: String(++this.#shownCount)});
    this.#texts.set(uri.path, text);
    try {
      await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    } catch {
      // The user can disable VS Code's Markdown extension.
      await vscode.window.showTextDocument(uri, {viewColumn: vscode.ViewColumn.Beside});
    }
  }
}

function runText(path: string): string {
  return markdownText(`${basename(dirname(path))}/${basename(path)}`);
}
