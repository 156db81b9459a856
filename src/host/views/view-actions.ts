import {dirname, join} from 'node:path';
import * as vscode from 'vscode';
import type {FileToSave, RevealTarget} from '../../protocol/view-messages.js';

/** The actions that views ask of the editor. */
export interface ViewActions {
  showInTimeline(target: RevealTarget): Promise<undefined>;
  copy(text: string): Promise<undefined>;
  save(file: FileToSave, besidePath: string | null): Promise<boolean>;
}

/** @param reveal shows a place in the timeline */
export function createViewActions(reveal: (target: RevealTarget) => Promise<void>): ViewActions {
  return {
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
