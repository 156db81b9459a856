import {crc32} from 'node:zlib';
import type * as vscode from 'vscode';
import {pushAll} from '../../core/table/extremes.js';

/** The checksums of a document's lines, each computed once until the line is edited. */
export class LineChecksums {
  readonly #ofLine = new WeakMap<vscode.TextDocument, (number | undefined)[]>();

  /** Returns the CRC-32 of a line, counted from 1, in UTF-8 without its line ending; NaN if there is no such line. */
  at(document: vscode.TextDocument, line: number): number {
    if (line < 1 || line > document.lineCount) return NaN;
    let known = this.#ofLine.get(document);
    if (!known) this.#ofLine.set(document, (known = []));
    return (known[line - 1] ??= crc32(document.lineAt(line - 1).text));
  }

  /** Must be called with each change of a document. */
  edit(document: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const known = this.#ofLine.get(document);
    if (!known) return;
    // VS Code sorts changes from the end of the text to its beginning, so no change moves another.
    for (const {range, text} of changes) {
      const {start, end} = range;
      const inserted = text.split(/\r\n|\r|\n/).length;
      // Lines after the last known one are unknown, and stay so.
      if (start.line >= known.length) continue;
      if (inserted === 1 && start.line === end.line) known[start.line] = undefined;
      else replaceLines(known, start.line, end.line + 1, inserted);
    }
  }
}

/** Replaces the lines `from` up to but not including `end` with unknown lines. */
function replaceLines(known: (number | undefined)[], from: number, end: number, inserted: number): void {
  const rest = known.slice(end);
  known.length = from + inserted;
  known.fill(undefined, from);
  pushAll(known, rest);
}
