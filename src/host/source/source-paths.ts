import {stat} from 'node:fs/promises';
import {isAbsolute, join, normalize} from 'node:path';
import * as vscode from 'vscode';
import {mappedPath} from '../../core/source/path-map.js';
import type {SourceIndex} from '../../core/source/source-index.js';
import {readSettings, textMembers} from '../settings.js';

/** What was chosen for paths that fit several files is kept under this, with the workspace. */
const chosenKey = 'source.paths';

/**
 * Finds the files that a profile's paths mean: by the setting, where it has the front of a path; else by the longest
 * end that a file of the workspace shares. Where several share it, the user is asked once, and that is remembered.
 *
 * Paths come from files of strangers: nothing outside the workspace is ever meant.
 */
export class SourcePaths implements vscode.Disposable {
  readonly #chose = new vscode.EventEmitter<void>();
  /** A file was chosen for a path. */
  readonly onDidChoose = this.#chose.event;

  constructor(private readonly memory: vscode.Memento) {}

  /** The file here; null for none, undefined where the user was asked and chose none. */
  async find(path: string, index: SourceIndex): Promise<string | null | undefined> {
    const mapped = this.mapped(path);
    if (mapped !== null && (await isFile(mapped))) return mapped;
    const found = this.fitting(path, index);
    return found.length <= 1 ? (found[0] ?? null) : this.ask(path, found);
  }

  /** Where the setting puts a path in the workspace, be there such a file or not; null where it says nothing of it. */
  mapped(path: string): string | null {
    const target = mappedPath(path, readSettings().sourcePathMap);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (target === null || (folder === undefined && !isAbsolute(target))) return null;
    const file = normalize(isAbsolute(target) ? target : join(folder ?? '', target));
    return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) ? file : null;
  }

  /** The files that share the longest end with a path, or of them the one that was chosen. */
  fitting(path: string, {paths}: Pick<SourceIndex, 'paths'>): readonly string[] {
    const found = paths.matching(path);
    const chosen = found.length > 1 ? this.#chosen()[path] : undefined;
    return chosen !== undefined && found.includes(chosen) ? [chosen] : found;
  }

  /** Asks which of several files a path means, and remembers it; undefined where none was chosen. */
  async ask(path: string, files: readonly string[]): Promise<string | undefined> {
    const items = files.map(file => ({label: vscode.workspace.asRelativePath(file), file}));
    const placeHolder = `Which file is ${path} of the profile? This workspace remembers it.`;
    const picked = await vscode.window.showQuickPick(items, {title: 'GPU Lens', placeHolder});
    if (!picked) return undefined;
    await this.memory.update(chosenKey, {...this.#chosen(), [path]: picked.file});
    this.#chose.fire();
    return picked.file;
  }

  dispose(): void {
    this.#chose.dispose();
  }

  #chosen(): Readonly<Record<string, string>> {
    return textMembers(this.memory.get<unknown>(chosenKey));
  }
}

async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true;
}
