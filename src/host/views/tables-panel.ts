import * as vscode from 'vscode';
import {viewContent} from '../profiles/view-content.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import {webviewHtml, webviewOptions} from './webview-html.js';

/** The tables in the editor area: one panel, which shows the active profile. */
export class TablesPanel {
  static readonly viewType = 'gpuLens.tables';
  #panel: vscode.WebviewPanel | null = null;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ViewServices,
  ) {}

  show(): void {
    if (this.#panel) {
      this.#panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(TablesPanel.viewType, 'GPU Tables', vscode.ViewColumn.Active);
    this.attach(panel);
  }

  /** Takes over a panel: a new one, or one that VS Code has kept over a reload of the window. */
  attach(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    panel.webview.options = webviewOptions(this.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icons', 'gpu-lens.svg');
    const {store} = this.services;
    const connection = new ViewConnection(panel.webview, this.services, () => viewContent(store.active), null);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'tables', 'GPU Tables');
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
    });
    panel.onDidDispose(() => {
      connection.dispose();
      if (this.#panel === panel) this.#panel = null;
    });
  }
}
