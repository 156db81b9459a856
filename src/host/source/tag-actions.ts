import * as vscode from 'vscode';
import {readSettings} from '../settings.js';
import type {ParsedDocuments} from './parsed-documents.js';

/** Writes and removes tags in Python files: each action is one edit, and one step to undo. */
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
    const parsed = await this.documents.of(document);
    if (!parsed || token.isCancellationRequested) return [];
    const {tagActions} = await import('../../source/python-actions.js');
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return tagActions(parsed, from, to, readSettings(document.uri).tagKind).map(({title, edit}) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
      action.edit = new vscode.WorkspaceEdit();
      for (const {from: start, to: end, text} of edit.replacements) {
        const replaced = new vscode.Range(document.positionAt(start), document.positionAt(end));
        action.edit.replace(document.uri, replaced, text);
      }
      return action;
    });
  }
}
