import * as vscode from 'vscode';
import {showInformation} from '../base/messages.js';

const scheme = 'gpu-lens-profiles';

/** Markdown pages about profiles: read-only documents, shown in VS Code's own preview. */
export class MarkdownPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly #texts = new Map<string, string>();
  #shownCount = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.path) ??
      vscode.l10n.t('This page belongs to an earlier session. Run the command that made it again.')
    );
  }

  /** Shows a page, and offers to copy it. @param sentence the text of the message with the offer */
  async show(name: string, text: string, sentence: string): Promise<void> {
    const file = name.replace(/[^\p{L}\p{N} _.-]+/gu, '_').slice(0, 120);
    // A new address each time: VS Code's preview sends the new text of an address that it shows to its page, and the
    // text is lost if that page is hidden and is just being loaded again, with the text before.
    const uri = vscode.Uri.from({scheme, path: `/${file}.md`, query: String(++this.#shownCount)});
    this.#texts.set(uri.path, text);
    try {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } catch {
      // The user can disable VS Code's Markdown extension.
      await vscode.window.showTextDocument(uri);
    }
    // Does not wait for the message, which may stay open.
    void offerToCopy(sentence, text);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function offerToCopy(sentence: string, text: string): Promise<void> {
  const copy = vscode.l10n.t('Copy as Markdown');
  if ((await showInformation(sentence, copy)) === copy) await vscode.env.clipboard.writeText(text);
}
