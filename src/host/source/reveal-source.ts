import * as vscode from 'vscode';
import {classOfModule, moduleRange, simpleClassName} from '../../core/source/module-forward.js';
import {matchesName} from '../../core/source/name-pattern.js';
import {parsePythonFrame} from '../../core/source/python-frame.js';
import type {KernelSite, Sidecar} from '../../core/source/sidecar.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {createTagReader, languageOfId, languageOfPath} from '../../source/tag-reader.js';
import type {SourcePaths} from './source-paths.js';
import type {WorkspaceIndex} from './workspace-index.js';

/** A line of a file of the workspace. */
interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Opens the line that opened a range of this name, on which a module's ranges stand, that a compiled kernel comes from,
 * that called a compiled region, or that a Python frame is in; of several lines the one that the user picks. False where none is found; a user who picks none is told nothing. Names come from files of strangers: only files
 * of the workspace are opened, whatever a name says.
 */
export type RevealSource = (name: string, seen: SeenLines | null) => Promise<boolean>;

/** What is known of the lines of a profile. */
export interface SeenLines {
  readonly sidecar: Sidecar | null;
  readonly kernels: readonly KernelSite[];
}

export function createRevealSource(workspace: WorkspaceIndex, paths: SourcePaths): RevealSource {
  return async (name, seen) => {
    const index = await workspace.whenRead();
    const places = await placesOf(name, seen, index, paths);
    // Who chose no file knows why none opens.
    if (!places) return true;
    if (places.length === 0) return false;
    const place = places.length === 1 ? places[0] : await pick(name, places);
    if (place) await show(name, place);
    return true;
  };
}

/** Undefined where the user was asked for a file and chose none. */
async function placesOf(
  name: string,
  seen: SeenLines | null,
  index: SourceIndex,
  paths: SourcePaths,
): Promise<readonly Place[] | undefined> {
  const frame = parsePythonFrame(name);
  if (frame) {
    const file = await paths.find(frame.path, index);
    return file === undefined ? undefined : file === null ? [] : [{file, line: frame.line}];
  }
  // What the runner saw is exact; the others may only be called the same.
  const sidecar = seen?.sidecar;
  const modules = sidecar?.modules.filter(module => moduleRange(module.name) === name) ?? [];
  const sites = seen ? sitesOf(name, seen) : [];
  const places = await seenPlaces([...sites, ...modules], index, paths);
  if (!places || places.length > 0) return places;
  return modules[0] ? index.forwardsOf(simpleClassName(modules[0].class)) : index.placesFor(name);
}

function sitesOf(name: string, {sidecar, kernels}: SeenLines): {readonly file: string; readonly line: number}[] {
  return [...(sidecar?.sites ?? []), ...kernels, ...(sidecar?.compiledCalls ?? [])].filter(site => site.name === name);
}

async function seenPlaces(
  seen: readonly {readonly file?: string; readonly line?: number}[],
  index: SourceIndex,
  paths: SourcePaths,
): Promise<Place[] | undefined> {
  const places: Place[] = [];
  const files = new Map<string, string | null>();
  for (const {file: recorded, line} of seen) {
    if (recorded === undefined || line === undefined) continue;
    const known = files.get(recorded);
    const file = known === undefined ? await paths.find(recorded, index) : known;
    if (file === undefined) return undefined;
    files.set(recorded, file);
    if (file !== null) places.push({file, line});
  }
  return places;
}

async function pick(name: string, places: readonly Place[]): Promise<Place | undefined> {
  const items = places.map(place => ({
    label: `${vscode.workspace.asRelativePath(place.file)}:${String(place.line)}`,
    place,
  }));
  const placeHolder = `"${name}" is opened in ${String(places.length)} places, which share its figures.`;
  return (await vscode.window.showQuickPick(items, {title: 'GPU Lens', placeHolder}))?.place;
}

async function show(name: string, place: Place): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.file));
  const line = await lineNow(document, name, place.line);
  const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
  const editor = await vscode.window.showTextDocument(document, {selection: new vscode.Range(at, at)});
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The line that opens the range now: the text may have changed since it was recorded or read, and not be saved. */
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
