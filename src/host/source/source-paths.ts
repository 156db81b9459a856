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
export class SourcePaths {
  constructor(private readonly memory: vscode.Memento) {}

  /** The file here; null for none, undefined where the user was asked and chose none. */
  async find(path: string, index: SourceIndex): Promise<string | null | undefined> {
    const mapped = await this.#mapped(path);
    if (mapped !== null) return mapped;
    const found = index.paths.matching(path);
    if (found.length <= 1) return found[0] ?? null;
    const chosen = this.#chosen()[path];
    if (chosen !== undefined && found.includes(chosen)) return chosen;
    return this.#ask(path, found);
  }

  async #mapped(path: string): Promise<string | null> {
    const target = mappedPath(path, readSettings().sourcePathMap);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (target === null || (folder === undefined && !isAbsolute(target))) return null;
    const file = normalize(isAbsolute(target) ? target : join(folder ?? '', target));
    if (!vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))) return null;
    const stats = await stat(file).catch(() => null);
    return stats?.isFile() ? file : null;
  }

  async #ask(path: string, files: readonly string[]): Promise<string | undefined> {
    const items = files.map(file => ({label: vscode.workspace.asRelativePath(file), file}));
    const placeHolder = `Which file is ${path} of the profile? This workspace remembers it.`;
    const picked = await vscode.window.showQuickPick(items, {title: 'GPU Lens', placeHolder});
    if (!picked) return undefined;
    await this.memory.update(chosenKey, {...this.#chosen(), [path]: picked.file});
    return picked.file;
  }

  #chosen(): Readonly<Record<string, string>> {
    return textMembers(this.memory.get<unknown>(chosenKey));
  }
}
