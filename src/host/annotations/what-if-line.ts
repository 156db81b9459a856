import * as vscode from 'vscode';
import {commandIds} from '../base/command-ids.js';
import {showInformation} from '../base/messages.js';
import type {WhatIfRow} from '../commands/show-what-if.js';
import type {Annotations, LineAnnotation} from './annotations.js';
import type {UntaggedLine, UntaggedLines} from './untagged-lines.js';

/** Returns the row of "What If…" for a line with a tag. */
export const whatIfOfTag = ({timing}: Pick<LineAnnotation, 'timing'>): WhatIfRow => ({
  names: timing.names.map(({name}) => name),
});

/** Returns the row of "What If…" for a line without a tag. */
export const whatIfOfUntagged = ({shows: [names]}: Pick<UntaggedLine, 'shows'>): WhatIfRow => ({names});

/** Runs "What If…" for the line at the cursor, from the editor's menu. */
export function whatIfLineCommand(
  annotations: Pick<Annotations, 'of'>,
  untagged: Pick<UntaggedLines, 'of'>,
): () => Promise<void> {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const {document, selection} = editor;
    const line = selection.active.line + 1;
    const tags = (await annotations.of(document)).filter(({tag, timing}) => tag.line === line && timing.nameCount > 0);
    const others = (await untagged.of(document)).filter(one => one.line === line);
    const names = [...tags.map(whatIfOfTag), ...others.map(whatIfOfUntagged)].flatMap(row => row.names);
    if (names.length > 0) await vscode.commands.executeCommand(commandIds.showWhatIf, {names});
    else {
      await showInformation(
        vscode.l10n.t('This line has no times in the active profile. Put the cursor on a line that has.'),
      );
    }
  };
}
