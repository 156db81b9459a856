import {basename} from 'node:path';
import * as vscode from 'vscode';
import type {LineMemory} from '../../core/memory-snapshot/line-memory.js';
import {lineMemoryHover, lineMemoryText} from '../../core/memory-snapshot/line-memory-text.js';
import {readSettings} from '../base/settings.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {MemoryEditor, OpenMemory} from './memory-editor.js';
import {memoryViewType} from './open-memory.js';

/** Lines that hold a smaller share of the largest are not shown: there would be too many. */
const leastShare = 0.001;

/** Shows an open snapshot's memory above each line that allocated it, and the largest blocks in a hover. */
export class MemoryLenses implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly editor: Pick<MemoryEditor, 'last' | 'onDidChange'>,
    private readonly files: Pick<RecordedFiles, 'pathIn' | 'onDidChange'>,
  ) {
    this.#listeners = vscode.Disposable.from(
      editor.onDidChange(() => {
        this.#changed.fire();
      }),
      // A snapshot's paths can be matched once the workspace has been read.
      files.onDidChange(() => {
        if (editor.last) this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!readSettings(document.uri).codeLensEnabled) return [];
    return this.#of(document).map(({line, open}) => {
      const at = new vscode.Position(line.line - 1, 0);
      return new vscode.CodeLens(new vscode.Range(at, at), {
        title: lineMemoryText(line),
        tooltip: vscode.l10n.t(
          'Memory that this line allocated, from {0}: the most that it held at once, and what it holds at the peak of the device.',
          basename(open.path),
        ),
        command: 'vscode.openWith',
        arguments: [vscode.Uri.file(open.path), memoryViewType],
      });
    });
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | null {
    const found = this.#of(document).find(({line}) => line.line === position.line + 1);
    if (!found) return null;
    const text = new vscode.MarkdownString();
    text.appendText(lineMemoryHover(found.line, basename(found.open.path)));
    return new vscode.Hover(text, document.lineAt(position.line).range);
  }

  #of(document: vscode.TextDocument): {line: LineMemory; open: OpenMemory}[] {
    const open = this.editor.last;
    if (!open || open.lines.length === 0) return [];
    const path = this.files.pathIn(open.lines, document.uri, {path: open.path, state: {sidecar: null}});
    if (path === null) return [];
    const most = open.lines.reduce((max, {peakBytes}) => Math.max(max, peakBytes), 0);
    return open.lines
      .filter(
        ({file, line, peakBytes}) => file === path && line <= document.lineCount && peakBytes >= leastShare * most,
      )
      .map(line => ({line, open}));
  }
}
