import * as vscode from 'vscode';
import {say} from '../../core/base/say.js';
import type {StackKind} from '../../core/attribution/range-stack.js';
import type {ShownSelection} from '../../protocol/view-messages.js';
import {viewContent} from '../profiles/view-content.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import type {PanelKind} from '../base/profile-panels.js';
import {webviewHtml, webviewOptions} from './webview-html.js';

export const jobPanel: PanelKind = {viewType: 'gpuLens.job', bundle: 'job', title: vscode.l10n.t('Ranks as One Job')};
export const benchmarkPanel: PanelKind = {
  viewType: 'gpuLens.benchmark',
  bundle: 'benchmark',
  title: vscode.l10n.t('GPU Benchmark'),
};
export const comparisonPanel: PanelKind = {
  viewType: 'gpuLens.comparison',
  bundle: 'compare',
  title: vscode.l10n.t('GPU Comparison'),
};
export const queryPanel: PanelKind = {
  viewType: 'gpuLens.queryResults',
  bundle: 'query',
  title: vscode.l10n.t('Query Results'),
  isBeside: true,
};

/** The connection of a panel's page. */
export interface PanelConnection extends vscode.Disposable {
  /** VS Code discards the page of a hidden panel, and makes a new one when it is shown. */
  becomeHidden(): void;
}

/** A view in the editor area: one panel of its kind, which VS Code restores after a window reload. */
export class Panel<Connection extends PanelConnection> implements vscode.WebviewPanelSerializer {
  #panel: vscode.WebviewPanel | null = null;
  #connection: Connection | null = null;

  constructor(
    readonly kind: PanelKind,
    private readonly extensionUri: vscode.Uri,
    private readonly connect: (webview: vscode.Webview) => Connection,
  ) {}

  show(): void {
    const {viewType, title, isBeside = false} = this.kind;
    if (this.#panel) {
      this.#panel.reveal(undefined, isBeside);
      return;
    }
    const viewColumn = isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    this.#attach(vscode.window.createWebviewPanel(viewType, say(title), {viewColumn, preserveFocus: isBeside}));
  }

  /**
   * Opens the view beside the editor, which keeps the focus, unless it is already open.
   *
   * In a browser, VS Code registers a service worker for the first webview page. A second page made at the same time
   * may stay blank, so the view waits for the page that is shown with it.
   *
   * @param after resolves once that page is ready
   */
  async openBeside(after: Promise<void>): Promise<void> {
    await after;
    if (this.#panel) return;
    const {viewType, title} = this.kind;
    const place = {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true};
    this.#attach(vscode.window.createWebviewPanel(viewType, say(title), place));
  }

  /** Null if there is no panel. */
  get connection(): Connection | null {
    return this.#connection;
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    // A panel opened meanwhile, with a profile, has replaced it.
    if (this.#panel) panel.dispose();
    else this.#attach(panel);
    return Promise.resolve();
  }

  #attach(panel: vscode.WebviewPanel): void {
    const {bundle, title} = this.kind;
    this.#panel = panel;
    panel.webview.options = webviewOptions(this.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icons', 'gpu-lens.svg');
    const connection = this.connect(panel.webview);
    this.#connection = connection;
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, bundle, say(title));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
    });
    panel.onDidDispose(() => {
      connection.dispose();
      if (this.#panel === panel) this.#panel = this.#connection = null;
    });
  }
}

/** A panel that shows the active profile. */
export class ViewPanel extends Panel<ViewConnection> {
  constructor(
    kind: PanelKind,
    extensionUri: vscode.Uri,
    private readonly services: ViewServices,
  ) {
    const content = () => viewContent(services.store.active, services.scopes);
    super(kind, extensionUri, webview => new ViewConnection(webview, services, content, null));
  }

  /**
   * Shows the contents of a range of the active profile in the current scope.
   *
   * @param range in Nsight's notation of ranges
   * @param kind of a name that the user did not give
   */
  async showRange(range: string, kind?: StackKind): Promise<void> {
    this.show();
    const {store, scopes} = this.services;
    await this.connection?.ask('range/show', {range, window: scopes.of(store.active), ...(kind && {kind})});
  }

  /** Shows one of the tables. */
  async showTable(tab: string): Promise<void> {
    this.show();
    await this.connection?.ask('tables/choose', {tab});
  }

  /** Shows a selection in the flame graph; with a name, its callers and callees there. */
  async showSelection(shown: ShownSelection): Promise<void> {
    this.show();
    await this.connection?.ask('flame/show', shown);
  }
}
