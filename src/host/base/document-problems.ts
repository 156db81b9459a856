import * as vscode from 'vscode';
import {RestTimer} from './rest-timer.js';

/** Returns the problems of one document; null if they have become outdated. */
export type FindProblems = (document: vscode.TextDocument) => Promise<readonly vscode.Diagnostic[] | null>;

/**
 * Shows problems of the visible documents, updated some time after a change. Results of an earlier reading, of an
 * earlier text or of a closed document are discarded.
 */
export class DocumentProblems implements vscode.Disposable {
  readonly #shown: vscode.DiagnosticCollection;
  readonly #listeners: vscode.Disposable;
  /** The latest reading of each document. */
  readonly #latest = new WeakMap<vscode.TextDocument, object>();
  #isDisposed = false;
  readonly #rest: RestTimer;

  /** @param name of the collection @param restMs the pause without changes before an update @param find must not throw */
  constructor(
    name: string,
    restMs: number,
    private readonly find: FindProblems,
  ) {
    this.#rest = new RestTimer(restMs);
    this.#shown = vscode.languages.createDiagnosticCollection(name);
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(this.findSoon),
      vscode.workspace.onDidCloseTextDocument(({uri}) => {
        this.#shown.delete(uri);
      }),
    );
  }

  /** Updates the problems once nothing has changed for a while. */
  readonly findSoon = (): void => {
    this.#rest.whenStill(() => {
      for (const document of new Set(vscode.window.visibleTextEditors.map(editor => editor.document))) {
        void this.#read(document);
      }
    });
  };

  /** Removes all problems, also in documents that are not visible. */
  clear(): void {
    this.#shown.clear();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#rest.dispose();
    this.#listeners.dispose();
    this.#shown.dispose();
  }

  async #read(document: vscode.TextDocument): Promise<void> {
    const reading = {};
    this.#latest.set(document, reading);
    const {version} = document;
    const found = await this.find(document);
    const isOld = this.#latest.get(document) !== reading || document.version !== version;
    if (found && !this.#isDisposed && !isOld && !document.isClosed) this.#shown.set(document.uri, found);
  }
}
