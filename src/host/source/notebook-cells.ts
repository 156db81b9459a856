import {crc32} from 'node:zlib';
import * as vscode from 'vscode';
import {recordedCell} from '../../core/source/notebook-cell.js';
import type {RecordedFile} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';

/** Returns whether a document is a notebook's cell. */
export function isCellDocument({scheme}: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell';
}

/** The recorded names of notebook cells, which stay while their texts are edited. */
export class NotebookCells implements vscode.Disposable {
  /** Recorded names by notebook path, list of files and cell fragment. */
  readonly #known = new Map<string, WeakMap<object, Map<string, string>>>();
  readonly #listener: vscode.Disposable;

  constructor() {
    // A reopened notebook renumbers its cells.
    this.#listener = vscode.workspace.onDidCloseNotebookDocument(({uri}) => this.#known.delete(uri.path));
  }

  /** Returns a cell's recorded name; null if no recorded file is known to be this cell. */
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
    // A cell without a name may match later, when its recorded text is typed or restored.
    if (cell !== null) known.set(uri.fragment, cell);
    return cell;
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
