import {basename} from 'node:path';
import type * as vscode from 'vscode';
import type {ViewContent} from '../../protocol/view-messages.js';
import {viewContent} from '../profiles/view-content.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import {webviewHtml, webviewOptions} from './webview-html.js';

/** The read-only editor for profile files: a timeline of the file. */
export class TraceEditor implements vscode.CustomReadonlyEditorProvider {
  static readonly viewType = 'gpuLens.trace';

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ViewServices,
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
      if (entry) return viewContent(entry, scopes);
      const name = basename(path);
      return hasBeenOpened ? {state: 'closed', name} : {state: 'opening', name, step: 'read', fraction: 0, events: 0};
    };
    const connection = new ViewConnection(panel.webview, this.services, content, document.uri);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'timeline', 'GPU Timeline');
    // A failure is shown in the editor itself, so nothing else has to be told.
    void store.openFile(path).then(() => (hasBeenOpened = true));
    panel.onDidDispose(() => {
      connection.dispose();
      store.leaveOpening(path);
    });
    panel.onDidChangeViewState(() => {
      if (!panel.visible) connection.becomeHidden();
      if (panel.active && store.entry(path)?.state.kind === 'open') store.activate(path);
    });
  }
}
