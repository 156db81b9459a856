import {basename} from 'node:path';
import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import type {LineMemory} from '../../core/memory-snapshot/line-memory.js';
import {knownLines} from '../../core/source/known-lines.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import type {MemoryContent} from '../../protocol/memory-messages.js';
import {webviewHtml, webviewOptions} from '../views/webview-html.js';
import {MemoryConnection, type MemoryServices} from './memory-connection.js';
import type {ProfileTime} from '../profiles/profile-time.js';
import {fileOfTime, placeOfTime, type ReadSnapshot} from './memory-places.js';
import {memoryViewType, openMemory} from './open-memory.js';

/** A snapshot open in an editor. */
export interface OpenMemory extends ReadSnapshot {
  /** The memory held by each line of the user's code; empty while the snapshot is read. */
  readonly lines: readonly LineMemory[];
  /** Of a profile whose memory is shown; a snapshot has none. */
  readonly sidecar: Sidecar | null;
}

/** The read-only editor for memory snapshots. */
export class MemoryEditor implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  static readonly viewType = memoryViewType;
  readonly #open = new Set<OpenMemory>();
  /** The time of a profile to show, by the page's file. */
  readonly #wanted = new Map<string, ProfileTime>();
  /** Functions that scroll a page to that time, by the page's file. */
  readonly #pages = new Map<string, () => Promise<void>>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a snapshot was read, or its editor was closed. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: MemoryServices,
  ) {}

  /** The last snapshot opened; null if none is open. */
  get last(): OpenMemory | null {
    return [...this.#open].at(-1) ?? null;
  }

  /** Shows what holds a profile's memory at a time; uses an open snapshot of the same run if there is one. */
  async showAt(time: ProfileTime): Promise<void> {
    const path = await fileOfTime(this.services.engine, [...this.#open].reverse(), time);
    this.#wanted.set(path, time);
    await openMemory(vscode.Uri.file(path));
    await this.#pages.get(path)?.();
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return {uri, dispose: () => undefined};
  }

  resolveCustomEditor({uri}: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const {engine, log, makeReadable} = this.services;
    const path = uri.fsPath;
    const name = basename(path);
    let content: MemoryContent = {state: 'opening', name, fraction: 0};
    let open: OpenMemory | null = null;
    const closing = new AbortController();
    panel.webview.options = webviewOptions(this.extensionUri);
    let readable = path;
    const connection = new MemoryConnection(panel.webview, this.services, path, () => readable, takeContent, read);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'memory', vscode.l10n.t('GPU Memory'));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
    });
    panel.onDidDispose(() => {
      closing.abort();
      connection.dispose();
      if (open) this.#open.delete(open);
      if (this.#pages.get(path) === goTo) this.#pages.delete(path);
      if (![...this.#open].some(other => other.path === path)) {
        engine.ask('memory/close', {snapshot: readable}).catch(() => undefined);
      }
      this.#changed.fire();
    });
    const show = (next: MemoryContent) => {
      content = next;
      connection.send();
    };
    const remember = (lines: readonly LineMemory[], sidecar: Sidecar | null) => {
      if (closing.signal.aborted) return;
      if (open) this.#open.delete(open);
      open = {path, readable, lines, sidecar};
      this.#open.add(open);
      this.#changed.fire();
    };
    const placeOf = async () => {
      const wanted = this.#wanted.get(path);
      if (!wanted) return null;
      this.#wanted.delete(path);
      return placeOfTime(engine, readable, wanted);
    };
    const shown = () => (content.state === 'open' ? content : null);
    const goTo = async () => {
      // While it is read, the place is still wanted: it is shown after that.
      if (!shown()) return;
      const wanted = this.#wanted.get(path);
      const at = await placeOf();
      // Without one, a place that the page was not told yet stays.
      if (!at) return;
      // The file may be read again by now.
      const now = shown();
      if (now?.overview.stamp === at.stamp) {
        show({...now, at});
        return;
      }
      // The place belongs to a newer version than the page shows: read that version first.
      if (wanted && !this.#wanted.has(path)) this.#wanted.set(path, wanted);
      if (now) read();
    };
    this.#pages.set(path, goTo);
    read();

    /** Returns what to tell the page. A place is told once: after that, the page stays where the user goes. */
    function takeContent(): MemoryContent {
      const taken = content;
      if (content.state === 'open') content = {...content, at: null};
      return taken;
    }
    function read(): void {
      void readSnapshot();
    }
    async function readSnapshot(): Promise<void> {
      show({state: 'opening', name, fraction: 0});
      try {
        const onProgress = ({bytes, totalBytes}: {bytes: number; totalBytes: number}) => {
          show({state: 'opening', name, fraction: totalBytes > 0 ? bytes / totalBytes : 0});
        };
        readable = await makeReadable(path, {
          signal: closing.signal,
          onProgress: fraction => {
            show({state: 'opening', name, fraction});
          },
        });
        const sidecar = await readSidecar(path);
        const lines = knownLines(sidecar, []);
        const overview = await engine.ask(
          'memory/open',
          {snapshot: readable, lines},
          {signal: closing.signal, onProgress},
        );
        show({state: 'open', name, overview, at: await placeOf()});
        remember(await engine.ask('memory/lines', {snapshot: readable, stamp: overview.stamp}), sidecar);
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
