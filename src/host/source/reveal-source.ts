import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {shortened} from '../../core/format/shortened.js';
import {classOfModule} from '../../core/source/module-forward.js';
import {matchesName} from '../../core/names/name-pattern.js';
import {placeText as textOfPlace} from '../../core/source/source-index.js';
import {createTagReader, languageOfId, languageOfPath} from '../../source/tag-reader.js';
import {plainLabel} from '../base/messages.js';
import type {SourcePaths} from './source-paths.js';
import {placesOfNames, type NamedPlace, type Place, type SeenLines} from './source-places.js';
import type {WorkspaceIndex} from './workspace-index.js';

/**
 * Opens the line of a name (see `placesOf`); if there are several, the user picks one. Returns false if none is found.
 * If the user picks none, shows no message. Names come from untrusted files: only files of the workspace are opened.
 *
 * @param names the names that `name` represents, if it is not one itself
 */
export type RevealSource = (name: string, seen: SeenLines | null, names?: readonly string[]) => Promise<boolean>;

export function createRevealSource(workspace: WorkspaceIndex, paths: SourcePaths): RevealSource {
  return async (name, seen, names = [name]) => {
    const index = await workspace.whenRead();
    const places = await placesOfNames(names, seen, index, paths);
    // The user was asked and chose no file, and so knows why none opens.
    if (!places) return true;
    if (places.length === 0) return false;
    const place = places.length === 1 ? places[0] : await pick(name, places);
    if (place) await showPlace(place.name, place);
    return true;
  };
}

async function pick(name: string, places: readonly NamedPlace[]): Promise<NamedPlace | undefined> {
  const items = places.map(place => ({label: plainLabel(placeText(place)), place}));
  const placeHolder = vscode.l10n.t(
    '"{0}" is opened in {1} places, which share its figures.',
    shortened(name),
    places.length,
  );
  return (await askOne(items, {title: 'GPU Lens', placeHolder}))?.place;
}

/** Returns a place for display, relative to the workspace. */
export function placeText(place: Place): string {
  return textOfPlace(vscode.workspace.asRelativePath(place.file), place);
}

/** Opens a line of a name at its current place. */
export async function showPlace(name: string, place: Place): Promise<void> {
  const cell = place.cell === undefined ? null : await cellAt(place.file, place.cell);
  const document = cell ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(place.file)));
  const line = await lineNow(document, name, place.line);
  const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
  const selection = new vscode.Range(at, at);
  if (cell) {
    // A cell's editor is its notebook's.
    await vscode.commands.executeCommand('vscode.open', cell.uri, {selection});
    return;
  }
  // Uses the column where the file is already visible, rather than covering the view that led here.
  const shown = vscode.window.visibleTextEditors.find(editor => editor.document === document)?.viewColumn;
  const viewColumn = shown ?? vscode.ViewColumn.Active;
  const editor = await vscode.window.showTextDocument(document, {selection, viewColumn});
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Returns a notebook's cell, or its last one if it now has fewer. */
async function cellAt(file: string, at: number): Promise<vscode.TextDocument> {
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
  return notebook.cellAt(Math.min(at, notebook.cellCount - 1)).document;
}

/** Returns the line that opens the range now: the text may have changed since it was recorded or read, even unsaved. */
async function lineNow(document: vscode.TextDocument, name: string, line: number): Promise<number> {
  const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
  if (language === null) return line;
  const reader = await createTagReader(language);
  const text = document.getText();
  const className = classOfModule(name);
  const lines = [
    ...reader.tags(text).filter(({pattern}) => pattern !== null && matchesName(pattern, name)),
    ...reader.modules(text).filter(forward => forward.className === className),
  ].map(found => found.line);
  return lines.reduce(
    (best, other) => (Math.abs(other - line) < Math.abs(best - line) ? other : best),
    lines[0] ?? line,
  );
}
