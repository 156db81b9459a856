import * as vscode from 'vscode';
import type {LineSpan} from '../../core/source/compiled-code.js';
import {shiftTags, type TextEdit} from '../../core/source/shift-tags.js';
import type {SourceTag} from '../../core/source/source-tag.js';
import type {Suspect} from '../../core/source/suspect.js';
import {createTagReader, languageOfId, languageOfPath, type TagReader} from '../../source/tag-reader.js';

/** The text is read again after this pause in typing; until then, known tags move with the edits. */
const restMs = 200;

/**
 * Documents that are searched for tags. CUDA files are also matched by name, because VS Code does not know the
 * language.
 */
export const taggedDocuments: vscode.DocumentSelector = [
  ...['python', 'c', 'cpp', 'cuda', 'cuda-cpp'].map(language => ({language})),
  {pattern: '**/*.{cu,cuh}'},
];

interface Known {
  readonly reader: TagReader;
  tags: readonly SourceTag[];
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The tags of open documents. They move with edits at once, and are read again after a pause in typing. */
export class DocumentTags implements vscode.Disposable {
  readonly #moved = new vscode.EventEmitter<vscode.TextDocumentChangeEvent>();
  /** Fires when a document with tags was edited and its tags moved. */
  readonly onDidMove = this.#moved.event;
  readonly #changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** Fires when a document was read again and its tags differ from those moved by edits. */
  readonly onDidChange = this.#changed.event;
  readonly #known = new Map<vscode.TextDocument, Known>();
  readonly #listeners: vscode.Disposable;

  constructor() {
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(event => {
        if (event.contentChanges.length > 0) this.#edit(event);
      }),
      vscode.workspace.onDidCloseTextDocument(document => {
        clearTimeout(this.#known.get(document)?.timer);
        this.#known.delete(document);
      }),
    );
  }

  /** Returns the tags in the order of the text. For a document that is being edited, this may wait for a pause. */
  async of(document: vscode.TextDocument): Promise<readonly SourceTag[]> {
    const known = this.#known.get(document);
    if (known) return known.tags;
    const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
    if (language === null) return [];
    const reader = await createTagReader(language);
    const tags = reader.tags(document.getText());
    if (!document.isClosed) this.#known.set(document, {reader, tags, timer: undefined});
    return tags;
  }

  /** Returns the lines of code passed to torch.compile, by the document itself or by other files (their `names`). */
  async compiledLines(document: vscode.TextDocument, names: ReadonlySet<string>): Promise<readonly LineSpan[]> {
    await this.of(document);
    const reader = this.#known.get(document)?.reader;
    const text = document.getText();
    return reader?.compiledLines(text, new Set([...names, ...reader.compiledNames(text)])) ?? [];
  }

  /** Returns the places in the document, as it is now, that may be mistakes. */
  async suspects(document: vscode.TextDocument): Promise<readonly Suspect[]> {
    await this.of(document);
    return this.#known.get(document)?.reader.suspects(document.getText()) ?? [];
  }

  dispose(): void {
    for (const {timer} of this.#known.values()) clearTimeout(timer);
    this.#listeners.dispose();
    this.#moved.dispose();
    this.#changed.dispose();
  }

  #edit(event: vscode.TextDocumentChangeEvent): void {
    const {document, contentChanges} = event;
    const known = this.#known.get(document);
    if (!known) return;
    // VS Code sorts changes from the end of the text to its beginning, so no change moves another.
    for (const change of contentChanges) known.tags = shiftTags(known.tags, editOf(change));
    clearTimeout(known.timer);
    known.timer = setTimeout(() => {
      this.#readAgain(document, known);
    }, restMs);
    this.#moved.fire(event);
  }

  #readAgain(document: vscode.TextDocument, known: Known): void {
    if (document.isClosed) return;
    const tags = known.reader.tags(document.getText());
    const isSame = JSON.stringify(tags) === JSON.stringify(known.tags);
    known.tags = tags;
    if (!isSame) this.#changed.fire(document);
  }
}

function editOf({range, rangeOffset, rangeLength, text}: vscode.TextDocumentContentChangeEvent): TextEdit {
  return {
    startOffset: rangeOffset,
    endOffset: rangeOffset + rangeLength,
    startLine: range.start.line + 1,
    startColumn: range.start.character,
    endLine: range.end.line + 1,
    insertedLength: text.length,
    insertedLines: text.split(/\r\n|\r|\n/).length - 1,
  };
}
