import {statSync} from 'node:fs';
import {isAbsolute, join, normalize} from 'node:path';
import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {shortened} from '../../core/format/shortened.js';
import {mappedPath, type PathMap} from '../../core/source/path-map.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {plainLabel} from '../base/messages.js';
import {readSettings, section, textMembers} from '../base/settings.js';

/** What was chosen for paths that fit several files is kept under this, with the workspace. */
const chosenKey = 'source.paths';
/** Of more the earliest are forgotten. */
const mostChosen = 500;

/**
 * Finds the files that a profile's paths mean: by the setting, where it leads from a path to a file; else by the longest
 * end that a file of the workspace shares. Where several share it, the user is asked once, and that is remembered.
 *
 * Paths come from files of strangers: nothing outside the workspace is ever meant.
 */
export class SourcePaths implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** A file was chosen for a path, or the setting changed: paths may mean other files than before. */
  readonly onDidChange = this.#changed.event;
  readonly #forgot = new vscode.EventEmitter<void>();
  /** What was chosen is forgotten. */
  readonly onDidForget = this.#forgot.event;
  /** What the setting holds; null until it is read. A profile has thousands of paths, and each is asked about. */
  #map: PathMap | null = null;
  /** Path → the file that was chosen for it; null until that is read. */
  #chosen: ReadonlyMap<string, string> | null = null;
  readonly #listener: vscode.Disposable;

  constructor(private readonly memory: vscode.Memento) {
    this.#listener = vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration(`${section}.sourcePathMap`)) return;
      this.#map = null;
      this.#changed.fire();
    });
  }

  /** The file here; null for none, undefined where the user was asked and chose none. */
  async find(path: string, index: SourceIndex): Promise<string | null | undefined> {
    const mapped = this.mapped(path);
    if (mapped !== null) return mapped;
    const found = this.fitting(path, index);
    return found.length <= 1 ? (found[0] ?? null) : this.ask(path, found);
  }

  /** The file of the workspace to which the setting leads from a path; null where it leads to none. */
  mapped(path: string): string | null {
    const place = this.mappedPlace(path);
    return place !== null && statSync(place, {throwIfNoEntry: false})?.isFile() === true ? place : null;
  }

  /** Where the setting puts a path in the workspace, be there such a file or not; null where it says nothing of it. */
  mappedPlace(path: string): string | null {
    const target = mappedPath(path, (this.#map ??= readSettings().sourcePathMap));
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (target === null || (folder === undefined && !isAbsolute(target))) return null;
    const file = normalize(isAbsolute(target) ? target : join(folder ?? '', target));
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) ? file : null;
  }

  /** The files that share the longest end with a path, or of them the one that was chosen. */
  fitting(path: string, {paths}: Pick<SourceIndex, 'paths'>): readonly string[] {
    const found = paths.matching(path);
    const chosen = this.chosen(path);
    return chosen !== null && found.includes(chosen) ? [chosen] : found;
  }

  /** The file that was chosen for a path; null where none was. */
  chosen(path: string): string | null {
    return this.#allChosen().get(path) ?? null;
  }

  /** Asks which of several files a path means, and remembers it; undefined where none was chosen. */
  async ask(path: string, files: readonly string[]): Promise<string | undefined> {
    const items = files.map(file => ({label: plainLabel(vscode.workspace.asRelativePath(file)), file}));
    const placeHolder = vscode.l10n.t(
      'Which file is {0} of the profile? This workspace remembers it.',
      shortened(path),
    );
    const picked = await askOne(items, {title: 'GPU Lens', placeHolder});
    if (!picked) return undefined;
    const others = [...this.#allChosen()].filter(([other]) => other !== path).slice(1 - mostChosen);
    await this.#remember(new Map([...others, [path, picked.file]]));
    return picked.file;
  }

  /** Forgets what was chosen for paths: the user is asked anew. Returns for how many. */
  async forget(): Promise<number> {
    const {size} = this.#allChosen();
    this.#forgot.fire();
    await this.#remember(new Map());
    return size;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
    this.#forgot.dispose();
  }

  #allChosen(): ReadonlyMap<string, string> {
    return (this.#chosen ??= new Map(Object.entries(textMembers(this.memory.get<unknown>(chosenKey)))));
  }

  async #remember(chosen: ReadonlyMap<string, string>): Promise<void> {
    this.#chosen = chosen;
    await this.memory.update(chosenKey, chosen.size > 0 ? Object.fromEntries(chosen) : undefined);
    this.#changed.fire();
  }
}
