import {crc32} from 'node:zlib';
import * as vscode from 'vscode';
import {recordedCell} from '../../core/source/notebook-cell.js';
import type {RecordedFile} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';

/** Whether a document is a cell of a notebook. */
export function isCellDocument({scheme}: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell';
}

/** What the cells of notebooks were called when they ran. They stay that while their texts are edited. */
export class NotebookCells implements vscode.Disposable {
  /** Path of a notebook → its cells by their fragments, of each list of files. */
  readonly #known = new Map<string, WeakMap<object, Map<string, string>>>();
  readonly #listener: vscode.Disposable;

  constructor() {
    // Opened again, a notebook has its cells numbered anew.
    this.#listener = vscode.workspace.onDidCloseNotebookDocument(({uri}) => this.#known.delete(uri.path));
  }

  /** What a cell was called, by what is recorded of files; null where none of those is known to be it. */
  nameOf(uri: vscode.Uri, files: readonly RecordedFile[]): string | null {
    const ofNotebook = getOrAdd(this.#known, uri.path, () => new WeakMap<object, Map<string, string>>());
    const known = getOrAdd(ofNotebook, files, () => new Map<string, string>());
    const name = known.get(uri.fragment);
    if (name !== undefined) return name;
    const document = vscode.workspace.textDocuments.find(
      candidate => candidate.uri.path === uri.path && candidate.uri.fragment === uri.fragment,
    );
    if (!document) return null;
    const lines = Array.from({length: document.lineCount}, (_, at) => crc32(document.lineAt(at).text));
    const cell = recordedCell(lines, files);
    // A cell that is none yet may become one: what it ran as may be typed, or put back.
    if (cell !== null) known.set(uri.fragment, cell);
    return cell;
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
