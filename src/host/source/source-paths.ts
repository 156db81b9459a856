import {statSync} from 'node:fs';
import {isAbsolute, join, normalize} from 'node:path';
import * as vscode from 'vscode';
import {askOne} from '../base/ask.js';
import {shortened} from '../../core/format/shortened.js';
import {mappedPath, type PathMap} from '../../core/source/path-map.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {plainLabel} from '../base/messages.js';
import {readSettings, section, textMembers} from '../base/settings.js';

/** Key under which the workspace stores the files chosen for ambiguous paths. */
const chosenKey = 'source.paths';
/** The most choices that are kept; the earliest are forgotten first. */
const mostChosen = 500;

/**
 * Finds the files that a profile's paths mean: by the setting, if it maps a path to a file; else by the longest end
 * that a workspace file shares. If several share it, the user is asked once, and the choice is stored.
 *
 * Paths come from untrusted files: they never mean a file outside the workspace.
 */
export class SourcePaths implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a file was chosen for a path, or the setting changed, so that paths may mean other files. */
  readonly onDidChange = this.#changed.event;
  readonly #forgot = new vscode.EventEmitter<void>();
  /** Fires when the choices were forgotten. */
  readonly onDidForget = this.#forgot.event;
  /** The setting's value, cached because it is used for each of a profile's thousands of paths; null until it is read. */
  #map: PathMap | null = null;
  /** The file chosen for each path; null until read. */
  #chosen: ReadonlyMap<string, string> | null = null;
  readonly #listener: vscode.Disposable;

  constructor(private readonly memory: vscode.Memento) {
    this.#listener = vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration(`${section}.sourcePathMap`)) return;
      this.#map = null;
      this.#changed.fire();
    });
  }

  /** Returns the local file; null for none, undefined if the user was asked and chose none. */
  async find(path: string, index: SourceIndex): Promise<string | null | undefined> {
    const mapped = this.mapped(path);
    if (mapped !== null) return mapped;
    const found = this.fitting(path, index);
    return found.length <= 1 ? (found[0] ?? null) : this.ask(path, found);
  }

  /** Returns the workspace file to which the setting maps a path; null for none. */
  mapped(path: string): string | null {
    const place = this.mappedPlace(path);
    return place !== null && statSync(place, {throwIfNoEntry: false})?.isFile() === true ? place : null;
  }

  /**
   * Returns where the setting puts a path in the workspace, even if there is no such file; null if it does not map the
   * path.
   */
  mappedPlace(path: string): string | null {
    const target = mappedPath(path, (this.#map ??= readSettings().sourcePathMap));
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (target === null || (folder === undefined && !isAbsolute(target))) return null;
    const file = normalize(isAbsolute(target) ? target : join(folder ?? '', target));
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) ? file : null;
  }

  /** Returns the files that share the longest end with a path, or only the one that was chosen. */
  fitting(path: string, {paths}: Pick<SourceIndex, 'paths'>): readonly string[] {
    const found = paths.matching(path);
    const chosen = this.chosen(path);
    return chosen !== null && found.includes(chosen) ? [chosen] : found;
  }

  /** Returns the file chosen for a path; null for none. */
  chosen(path: string): string | null {
    return this.#allChosen().get(path) ?? null;
  }

  /** Asks which of several files a path means, and stores the choice; undefined if none was chosen. */
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

  /** Forgets all choices, so that the user is asked again. Returns their number. */
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
