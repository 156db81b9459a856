import * as vscode from 'vscode';
import {viewContent} from '../profiles/view-content.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import {webviewHtml, webviewOptions, type ViewBundle} from './webview-html.js';

/** What tells one of our panels from another. */
interface PanelKind {
  /** What VS Code keeps the panel under, over a reload of the window. */
  readonly viewType: string;
  readonly bundle: ViewBundle;
  readonly title: string;
}

export const flamePanel: PanelKind = {viewType: 'gpuLens.flame', bundle: 'flame', title: 'GPU Flame Graph'};
export const tablesPanel: PanelKind = {viewType: 'gpuLens.tables', bundle: 'tables', title: 'GPU Tables'};

/** A view in the editor area: one panel of its kind, which shows the active profile. */
export class ViewPanel implements vscode.WebviewPanelSerializer {
  #panel: vscode.WebviewPanel | null = null;
  #connection: ViewConnection | null = null;

  constructor(
    readonly kind: PanelKind,
    private readonly extensionUri: vscode.Uri,
    private readonly services: ViewServices,
  ) {}

  show(): void {
    if (this.#panel) {
      this.#panel.reveal();
      return;
    }
    const {viewType, title} = this.kind;
    this.#attach(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active));
  }

  /** Shows what a range of the active profile holds. @param range as Nsight names ranges */
  async showRange(range: string): Promise<void> {
    this.show();
    await this.#connection?.ask('range/show', {range});
  }

  /** Takes over the panel that VS Code has kept over a reload of the window. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#attach(panel);
    return Promise.resolve();
  }

  #attach(panel: vscode.WebviewPanel): void {
    const {bundle, title} = this.kind;
    const {store} = this.services;
    this.#panel = panel;
    panel.webview.options = webviewOptions(this.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icons', 'gpu-lens.svg');
    const connection = new ViewConnection(panel.webview, this.services, () => viewContent(store.active), null);
    this.#connection = connection;
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, bundle, title);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
    });
    panel.onDidDispose(() => {
      connection.dispose();
      if (this.#panel === panel) this.#panel = this.#connection = null;
    });
  }
}
