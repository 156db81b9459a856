import type * as vscode from 'vscode';
import type {ParsedText} from '../../source/parsed-text.js';
import {longestSource} from '../../source/tag-reader.js';

/** The current syntax trees of Python documents, parsed incrementally. */
export class ParsedDocuments {
  readonly #last = new WeakMap<vscode.TextDocument, ParsedText>();

  /** Null for a text that is too long. */
  async of(document: vscode.TextDocument): Promise<ParsedText | null> {
    // The parser's tables are most of the extension's code.
    const {parsePython} = await import('../../source/python-tags.js');
    const text = document.getText();
    if (text.length > longestSource) return null;
    const parsed = parsePython(text, this.#last.get(document) ?? null);
    this.#last.set(document, parsed);
    return parsed;
  }
}
