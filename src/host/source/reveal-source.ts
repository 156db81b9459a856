import * as vscode from 'vscode';
import {matchesName} from '../../core/source/name-pattern.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {parsePythonFrame} from '../../core/source/python-frame.js';

/** Files that are searched for the tag of a range that no sidecar places. */
const mostFiles = 500;
const noPackages = '**/{node_modules,.venv,venv,site-packages,.git}/**';

/** A line of a file of the workspace. */
interface Place {
  readonly uri: vscode.Uri;
  /** From 1. */
  readonly line: number;
}

/**
 * Opens the line that opened a range of this name, or that a Python frame is in; false where none is found. Names come
 * from files of strangers: only files of the workspace are opened, whatever a name says.
 *
 * @param sidecar says which lines opened which ranges, where the profile has one
 */
export async function revealSource(name: string, sidecar: Sidecar | null): Promise<boolean> {
  const place = await placeOf(name, sidecar);
  if (!place) return false;
  const document = await vscode.workspace.openTextDocument(place.uri);
  const at = new vscode.Position(Math.min(place.line, document.lineCount) - 1, 0);
  const editor = await vscode.window.showTextDocument(document, {selection: new vscode.Range(at, at)});
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}

async function placeOf(name: string, sidecar: Sidecar | null): Promise<Place | null> {
  const frame = parsePythonFrame(name);
  if (frame) return inWorkspace(frame.path, frame.line);
  for (const {file, line} of sidecar?.sites.filter(site => site.name === name) ?? []) {
    const place = await inWorkspace(file, line);
    if (place) return place;
  }
  return tagIn(await vscode.workspace.findFiles('**/*.py', noPackages, mostFiles), name);
}

/** The file of the workspace whose path ends in `path`; profilers cut the front of paths off. */
async function inWorkspace(path: string, line: number): Promise<Place | null> {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.');
  const base = parts.at(-1) ?? '';
  // Braces, brackets and stars mean something in a glob; no file of Python's that is worth finding has them.
  if (base === '' || /[*?{}[\]!]/.test(base)) return null;
  const found = await vscode.workspace.findFiles(`**/${base}`, noPackages, mostFiles);
  let best: vscode.Uri | null = null;
  let bestLength = 0;
  for (const uri of found) {
    const length = sharedEnd(uri.path.split('/'), parts);
    if (length > bestLength) [best, bestLength] = [uri, length];
  }
  return best && {uri: best, line};
}

/** How many parts two paths share at their ends. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

async function tagIn(files: readonly vscode.Uri[], name: string): Promise<Place | null> {
  // The parser's tables are most of the extension's code.
  const {findPythonTags} = await import('../../source/python-tags.js');
  for (const uri of files) {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const tag = findPythonTags(text).find(({pattern}) => pattern !== null && matchesName(pattern, name));
    if (tag) return {uri, line: tag.line};
  }
  return null;
}
