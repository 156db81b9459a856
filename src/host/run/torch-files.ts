import {open} from 'node:fs/promises';
import * as vscode from 'vscode';
import {isStarted, startedScripts} from '../../launch/command/started-scripts.js';
import {RestTimer} from '../base/rest-timer.js';

const shellScripts = '**/*.{sh,bash}';
const packages = '**/{node_modules,.venv,venv,site-packages,.git}/**';
const mostScripts = 500;
const mostScriptBytes = 1 << 20;
/** The text is examined again after this pause in typing. */
const restMs = 500;

/**
 * Sets the context `gpuLens.fileRunsTorch`, which shows the buttons that profile a file. It is true if the file in the
 * editor imports torch, is a Python file started by a shell script of the workspace, or is a shell script that starts
 * one.
 */
export class TorchFiles implements vscode.Disposable {
  readonly #disposables: readonly vscode.Disposable[];
  #started: Promise<readonly string[]> | null = null;
  readonly #rest = new RestTimer(restMs);
  #looks = 0;

  constructor() {
    const scripts = vscode.workspace.createFileSystemWatcher(shellScripts);
    const forget = () => {
      this.#started = null;
      void this.#look();
    };
    const look = () => void this.#look();
    this.#disposables = [
      scripts,
      scripts.onDidCreate(forget),
      scripts.onDidChange(forget),
      scripts.onDidDelete(forget),
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.window.onDidChangeActiveNotebookEditor(look),
      vscode.workspace.onDidChangeNotebookDocument(() => {
        this.#lookSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({document}) => {
        if (document === vscode.window.activeTextEditor?.document) this.#lookSoon();
      }),
    ];
    look();
  }

  dispose(): void {
    this.#rest.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #lookSoon(): void {
    this.#rest.whenStill(() => void this.#look());
  }

  async #look(): Promise<void> {
    const look = ++this.#looks;
    const runsTorch = await this.#runsTorch();
    // Another editor may be in front by now.
    if (look === this.#looks) await vscode.commands.executeCommand('setContext', 'gpuLens.fileRunsTorch', runsTorch);
  }

  async #runsTorch(): Promise<boolean> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook) return importsTorch(notebook.getCells().map(({document}) => document));
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return false;
    if (document.languageId === 'shellscript') return startedScripts(document.getText()).length > 0;
    if (document.languageId !== 'python') return false;
    return (await importsTorch([document])) || isStarted(document.uri.path, await (this.#started ??= readScripts()));
  }
}

async function importsTorch(documents: readonly vscode.TextDocument[]): Promise<boolean> {
  // The parser's tables are most of the extension's code.
  const source = await import('../../source/python/imports-torch.js');
  return documents.some(document => source.importsTorch(document.getText()));
}

/** Returns the Python files that the workspace's shell scripts start, as ends of paths. */
async function readScripts(): Promise<readonly string[]> {
  const found = await vscode.workspace.findFiles(shellScripts, packages, mostScripts);
  const files = found.filter(({scheme}) => scheme === 'file');
  return (await Promise.all(files.map(({fsPath}) => readStart(fsPath)))).flatMap(startedScripts);
}

/** Returns the beginning of a file; "" if it cannot be read. */
async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const {buffer, bytesRead} = await file.read(Buffer.alloc(mostScriptBytes), 0, mostScriptBytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
