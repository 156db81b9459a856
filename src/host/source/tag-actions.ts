import * as vscode from 'vscode';
import type {TagAction} from '../../source/python-actions.js';
import {languageOfId, languageOfPath, longestSource} from '../../source/tag-reader.js';
import {readSettings} from '../base/settings.js';
import type {ParsedDocuments} from './parsed-documents.js';

/** Writes and removes tags in Python, C, C++ and CUDA files: each action is one edit, and one step to undo. */
export class TagActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.RefactorRewrite];

  constructor(private readonly documents: ParsedDocuments) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    {only}: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    if (only && !only.contains(vscode.CodeActionKind.RefactorRewrite)) return [];
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const actions = await this.#actions(document, from, to);
    if (token.isCancellationRequested) return [];
    return actions.map(({title, edit}) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
      action.edit = new vscode.WorkspaceEdit();
      for (const {from: start, to: end, text} of edit.replacements) {
        const replaced = new vscode.Range(document.positionAt(start), document.positionAt(end));
        action.edit.replace(document.uri, replaced, text);
      }
      return action;
    });
  }

  async #actions(document: vscode.TextDocument, from: number, to: number): Promise<readonly TagAction[]> {
    const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
    if (language === 'cpp') {
      const {parseCpp} = await import('../../source/cpp-tags.js');
      const {cppTagActions} = await import('../../source/cpp-actions.js');
      const text = document.getText();
      return text.length > longestSource ? [] : cppTagActions(parseCpp(text), from, to, document.languageId === 'c');
    }
    const parsed = await this.documents.of(document);
    const {tagActions} = await import('../../source/python-actions.js');
    return parsed ? tagActions(parsed, from, to, readSettings(document.uri).tagKind) : [];
  }
}
