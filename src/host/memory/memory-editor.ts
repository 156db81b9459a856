import {basename} from 'node:path';
import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import type {LineMemory} from '../../core/memory-snapshot/line-memory.js';
import {knownLines} from '../../core/source/known-lines.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import type {MemoryContent} from '../../protocol/memory-messages.js';
import {webviewHtml, webviewOptions} from '../views/webview-html.js';
import {MemoryConnection, type MemoryServices} from './memory-connection.js';
import {memoryViewType} from './open-memory.js';

/** A snapshot in an editor. */
export interface OpenMemory {
  readonly path: string;
  /** What each line of the person's own code holds; none while the snapshot is read. */
  readonly lines: readonly LineMemory[];
}

/** The read-only editor for memory snapshots. */
export class MemoryEditor implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  static readonly viewType = memoryViewType;
  readonly #open = new Set<OpenMemory>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** A snapshot was read, or its editor was closed. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: MemoryServices,
  ) {}

  /** The snapshot that was opened last; null where none is open. */
  get last(): OpenMemory | null {
    return [...this.#open].at(-1) ?? null;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return {uri, dispose: () => undefined};
  }

  resolveCustomEditor({uri}: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const {engine, log} = this.services;
    const path = uri.fsPath;
    const name = basename(path);
    let content: MemoryContent = {state: 'opening', name, fraction: 0};
    let open: OpenMemory | null = null;
    const closing = new AbortController();
    panel.webview.options = webviewOptions(this.extensionUri);
    const connection = new MemoryConnection(panel.webview, this.services, path, () => content, read);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'memory', 'GPU Memory');
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
    });
    panel.onDidDispose(() => {
      closing.abort();
      connection.dispose();
      if (open) this.#open.delete(open);
      if (![...this.#open].some(other => other.path === path)) {
        engine.ask('memory/close', {snapshot: path}).catch(() => undefined);
      }
      this.#changed.fire();
    });
    const show = (next: MemoryContent) => {
      content = next;
      connection.send();
    };
    const remember = (lines: readonly LineMemory[]) => {
      if (closing.signal.aborted) return;
      if (open) this.#open.delete(open);
      open = {path, lines};
      this.#open.add(open);
      this.#changed.fire();
    };
    read();

    function read(): void {
      void readSnapshot();
    }
    async function readSnapshot(): Promise<void> {
      show({state: 'opening', name, fraction: 0});
      try {
        const onProgress = ({bytes, totalBytes}: {bytes: number; totalBytes: number}) => {
          show({state: 'opening', name, fraction: totalBytes > 0 ? bytes / totalBytes : 0});
        };
        const lines = knownLines(await readSidecar(path), []);
        const overview = await engine.ask('memory/open', {snapshot: path, lines}, {signal: closing.signal, onProgress});
        show({state: 'open', name, overview});
        remember(await engine.ask('memory/lines', {snapshot: path}));
      } catch (error) {
        if (closing.signal.aborted) return;
        const {message} = describeError(error, 'internal');
        log.warn(`${name}: ${message}`);
        show({state: 'failed', name, message});
      }
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
