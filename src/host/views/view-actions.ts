import {dirname, join} from 'node:path';
import * as vscode from 'vscode';
import type {FileToSave, RevealTarget} from '../../protocol/view-messages.js';
import type {OpenProfile} from '../profiles/profile-store.js';

/** What views have the editor do. */
export interface ViewActions {
  revealSource(profile: OpenProfile | null, name: string): Promise<boolean>;
  showInTimeline(target: RevealTarget): Promise<undefined>;
  copy(text: string): Promise<undefined>;
  save(file: FileToSave, besidePath: string | null): Promise<boolean>;
}

/** @param reveal shows a place in the timeline */
export function createViewActions(reveal: (target: RevealTarget) => Promise<void>): ViewActions {
  return {
    async revealSource(profile, name) {
      const site = profile?.state.sidecar?.sites.find(candidate => candidate.name === name);
      if (!site) return false;
      const uri = await existingFile(site.file);
      if (!uri) return false;
      const at = new vscode.Position(Math.max(0, site.line - 1), 0);
      await vscode.window.showTextDocument(uri, {
        selection: new vscode.Range(at, at),
        viewColumn: vscode.ViewColumn.Beside,
      });
      return true;
    },
    async showInTimeline(target) {
      await reveal(target);
      return undefined;
    },
    async copy(text) {
      await vscode.env.clipboard.writeText(text);
      return undefined;
    },
    async save({name, content}, besidePath) {
      const folder = besidePath === null ? '' : dirname(besidePath);
      const uri = await vscode.window.showSaveDialog({defaultUri: vscode.Uri.file(join(folder, name))});
      if (!uri) return false;
      await vscode.workspace.fs.writeFile(
        uri,
        typeof content === 'string' ? new TextEncoder().encode(content) : content,
      );
      return true;
    },
  };
}

/** A file that the sidecar names, absolute or from one of the workspace's folders; null where there is none. */
async function existingFile(path: string): Promise<vscode.Uri | null> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  for (const uri of [...folders.map(folder => vscode.Uri.joinPath(folder.uri, path)), vscode.Uri.file(path)]) {
    const kind = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
      ({type}) => type,
      () => null,
    );
    if (kind !== null && (kind & vscode.FileType.File) !== 0) return uri;
  }
  return null;
}
