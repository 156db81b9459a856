import {basename} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {ViewContent} from '../../protocol/view-messages.js';
import {timelineContent} from '../profiles/view-content.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import {webviewHtml, webviewOptions} from './webview-html.js';

/** If an editor's page was not made after this long, it will not open. */
const longestOpeningMs = 30_000;

interface OpenEditor {
  readonly path: string;
  readonly panel: vscode.WebviewPanel;
  readonly view: ViewConnection;
}

/** The read-only editor for profile files: a timeline of the file. */
export class TraceEditor implements vscode.CustomReadonlyEditorProvider {
  /** For file names that only profilers write: the default editor. */
  static readonly viewType = 'gpuLens.trace';
  /** For file names that other programs write too: offered by "Open With…". */
  static readonly offeredType = 'gpuLens.anyTrace';
  readonly #shown = new vscode.EventEmitter<void>();
  /** Fires when an editor became visible with a new page. */
  readonly onDidShow = this.#shown.event;
  /** Fires when an editor was opened, or came to the front. */
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #open = new Set<OpenEditor>();

  /** While linked timelines are opened, nothing opens beside them. */
  #opensAlone = false;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ViewServices,
    /** Shows the summary of an opened profile once its timeline is shown, if the settings want it. */
    private readonly showSummary: (timeline: Pick<ViewConnection, 'whenShown'>) => void,
  ) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return {uri, dispose: () => undefined};
  }

  resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const {store, scopes} = this.services;
    const path = document.uri.fsPath;
    panel.webview.options = webviewOptions(this.extensionUri);
    let hasBeenOpened = false;
    const content = (): ViewContent => {
      const entry = store.entry(path);
      if (entry) return timelineContent(entry, scopes);
      const name = basename(path);
      if (hasBeenOpened) return {state: 'closed', name};
      return {state: 'opening', key: -1, name, step: 'read', fraction: 0, events: 0};
    };
    const connection = new ViewConnection(panel.webview, this.services, content, document.uri);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'timeline', vscode.l10n.t('GPU Timeline'));
    const isAlone = this.#opensAlone;
    // The editor itself shows a failure, so nothing else must.
    void store.openFile(path).then(({state}) => {
      hasBeenOpened = true;
      if (!isAlone && state.kind === 'open' && !state.summary.info.tables) this.showSummary(connection);
    });
    const open = {path, panel, view: connection};
    this.#open.add(open);
    this.#shown.fire();
    this.#changed.fire();
    panel.onDidDispose(() => {
      this.#open.delete(open);
      connection.dispose();
      if (!hasBeenOpened) store.leaveOpening(path);
    });
    let wasVisible = panel.visible;
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
      else if (!wasVisible) this.#shown.fire();
      wasVisible = panel.visible;
      this.#changed.fire();
      if (panel.active) store.activate(path);
    });
  }

  /**
   * Opens a file's timeline in the active editor group, or in a new one below it, and returns its view.
   *
   * The summary, which opens beside a profile opened by hand, is not shown.
   */
  async openBeside(path: string, place: 'here' | 'below'): Promise<ViewConnection> {
    if (place === 'below') await vscode.commands.executeCommand('workbench.action.newGroupBelow');
    const before = new Set(this.#open);
    // A new group has a new editor; in the active group, the file's editor may already be open.
    const find = () => {
      const ofFile = [...this.#open].filter(open => open.path === path);
      return ofFile.find(open => !before.has(open)) ?? ofFile.find(({panel}) => place === 'here' && panel.active);
    };
    this.#opensAlone = true;
    try {
      // The lower one has the keyboard: the upper one would take it, some time later, as soon as its page is there.
      const options = {viewColumn: vscode.ViewColumn.Active, preserveFocus: place === 'here'};
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(path), TraceEditor.viewType, options);
      return (find() ?? (await this.#whenOpen(path, find))).view;
    } finally {
      this.#opensAlone = false;
    }
  }

  /**
   * VS Code may make an editor's page, or report it active, after the command that opened it has ended. It makes no
   * page for a file that is gone.
   */
  #whenOpen(path: string, find: () => OpenEditor | undefined): Promise<OpenEditor> {
    return new Promise((resolve, reject) => {
      const listener = this.#changed.event(() => {
        const found = find();
        if (found) end(() => resolve(found));
      });
      const limit = setTimeout(() => {
        const message = vscode.l10n.t(
          'The timeline of {0} did not open. Open the file by itself to see why.',
          basename(path),
        );
        end(() => reject(new TraceError('file/unreadable', message)));
      }, longestOpeningMs);
      const end = (settle: () => void) => {
        clearTimeout(limit);
        listener.dispose();
        settle();
      };
    });
  }

  /** Closes a profile with its editors. */
  async close(path: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(
        ({input}) =>
          input instanceof vscode.TabInputCustom && ownTypes.has(input.viewType) && input.uri.fsPath === path,
      );
    await vscode.window.tabGroups.close(tabs, true);
    await this.services.store.close(path);
  }

  /** Whether any is visible. */
  get isVisible(): boolean {
    return [...this.#open].some(({panel}) => panel.visible);
  }

  /** Highlights ranges of these names in the visible editors of the profile's file. */
  async highlight(names: readonly string[], profile: Pick<OpenProfile, 'path'>): Promise<void> {
    const shown = [...this.#open].filter(({path, panel}) => panel.visible && path === profile.path);
    // An editor that was hidden meanwhile has nothing to highlight.
    await Promise.all(shown.map(({view}) => view.ask('timeline/highlight', {names}).catch(() => undefined)));
  }
}

/** Types of tabs that show a profile. */
const ownTypes: ReadonlySet<string> = new Set([TraceEditor.viewType, TraceEditor.offeredType]);
