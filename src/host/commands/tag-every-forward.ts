import * as vscode from 'vscode';
import {showInformation} from '../base/messages.js';
import {readSettings} from '../base/settings.js';
import type {ParsedDocuments} from '../source/parsed-documents.js';

/** "Tag every forward", on a file's first line: tags the `forward` of each of its modules, as one undo step. */
export function tagEveryForwardCommand(documents: ParsedDocuments): (uri: vscode.Uri) => Promise<void> {
  return async uri => {
    const document = await vscode.workspace.openTextDocument(uri);
    const parsed = await documents.of(document);
    const {tagEveryForward} = await import('../../source/python-edits/tag-modules.js');
    const tags = parsed && tagEveryForward(parsed, readSettings(uri).tagKind);
    if (!tags) {
      void showInformation(
        vscode.l10n.t('Every forward of this file has a tag already. Profile again to see its time.'),
      );
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const {from, to, text} of tags.replacements) {
      edit.replace(uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text);
    }
    await vscode.workspace.applyEdit(edit);
  };
}
