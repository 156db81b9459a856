import {basename} from 'node:path';
import * as vscode from 'vscode';
import type {LineMemory} from '../../core/memory-snapshot/line-memory.js';
import {lineMemoryHover, lineMemoryText} from '../../core/memory-snapshot/line-memory-text.js';
import type {Annotations} from './annotations.js';
import type {RecordedSources} from './recorded-sources.js';
import {readSettings} from '../base/settings.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {MemoryEditor, OpenMemory} from '../memory/memory-editor.js';
import {memoryViewType} from '../memory/open-memory.js';

/** Lines that hold a smaller share of the largest are not shown: there would be too many. */
const leastShare = 0.001;

/** The memory of a recorded line, and where that line is now. */
interface PlacedMemory {
  readonly memory: LineMemory;
  /** From 1. */
  readonly line: number;
}

/**
 * Shows an open snapshot's memory above each line that allocated it, and the largest blocks in a hover. They move with
 * edits, and are removed with their line.
 */
export class MemoryLenses implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #listeners: vscode.Disposable;

  constructor(
    private readonly editor: Pick<MemoryEditor, 'last' | 'onDidChange'>,
    private readonly files: Pick<RecordedFiles, 'pathIn' | 'onDidChange'>,
    private readonly recorded: Pick<RecordedSources, 'of' | 'onDidLoad'>,
    private readonly annotations: Pick<Annotations, 'recordedLinesNow'>,
  ) {
    this.#listeners = vscode.Disposable.from(
      editor.onDidChange(() => {
        this.#changed.fire();
      }),
      // A snapshot's paths can be matched once the workspace has been read.
      files.onDidChange(() => {
        if (editor.last) this.#changed.fire();
      }),
      recorded.onDidLoad(() => {
        this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const open = this.editor.last;
    if (!open || !readSettings(document.uri).codeLensEnabled) return [];
    return (await this.#of(document, open)).map(({memory, line}) => {
      const at = new vscode.Position(line - 1, 0);
      return new vscode.CodeLens(new vscode.Range(at, at), {
        title: lineMemoryText(memory),
        tooltip: vscode.l10n.t(
          'Memory that this line allocated, from {0}: the most that it held at once, and what it holds at the peak of the device.',
          basename(open.path),
        ),
        command: 'vscode.openWith',
        arguments: [vscode.Uri.file(open.path), memoryViewType],
      });
    });
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | null> {
    const open = this.editor.last;
    const found = open && (await this.#of(document, open)).find(({line}) => line === position.line + 1);
    if (!found) return null;
    const text = new vscode.MarkdownString();
    text.appendText(lineMemoryHover(found.memory, basename(open.path)));
    return new vscode.Hover(text, document.lineAt(position.line).range);
  }

  async #of(document: vscode.TextDocument, open: OpenMemory): Promise<PlacedMemory[]> {
    const {path, lines, sidecar} = open;
    const file = this.files.pathIn(lines, document.uri, {path, state: {sidecar: null}});
    if (file === null) return [];
    const recording = {key: open, path, state: {sidecar}};
    const lineNow = await this.annotations.recordedLinesNow(document, recording, this.recorded);
    // The snapshot may have been closed meanwhile.
    if (this.editor.last !== open) return [];
    const most = lines.reduce((max, {peakBytes}) => Math.max(max, peakBytes), 0);
    return lines.flatMap(memory => {
      if (memory.file !== file || memory.peakBytes < leastShare * most) return [];
      const line = lineNow ? lineNow(memory.line) : memory.line;
      return line === null || line > document.lineCount ? [] : [{memory, line}];
    });
  }
}
