import * as vscode from 'vscode';
import type {RevealTarget} from '../../protocol/view-messages.js';
import {timelineContent} from '../profiles/view-content.js';
import {ViewConnection, type ViewServices} from './view-connection.js';
import {webviewHtml, webviewOptions} from './webview-html.js';

/** The view "GPU Timeline" in the panel area: it shows the active profile. */
export class TimelineView implements vscode.WebviewViewProvider {
  static readonly id = 'gpuLens.timeline';
  readonly #shown = new vscode.EventEmitter<void>();
  /** Fires when the view became visible with a new page. */
  readonly onDidShow = this.#shown.event;
  #connection: ViewConnection | null = null;
  #view: vscode.WebviewView | null = null;
  #whenResolved: ((connection: ViewConnection) => void)[] = [];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ViewServices,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    view.webview.options = webviewOptions(this.extensionUri);
    const {store, scopes} = this.services;
    const connection = new ViewConnection(
      view.webview,
      this.services,
      () => timelineContent(store.active, scopes),
      null,
    );
    this.#connection = connection;
    this.#view = view;
    view.webview.html = webviewHtml(view.webview, this.extensionUri, 'timeline', vscode.l10n.t('GPU Timeline'));
    view.onDidChangeVisibility(() => {
      if (view.visible) this.#shown.fire();
      else connection.becomeHidden();
    });
    view.onDidDispose(() => {
      connection.dispose();
      if (this.#connection === connection) this.#connection = this.#view = null;
    });
    for (const resolve of this.#whenResolved) resolve(connection);
    this.#whenResolved = [];
    this.#shown.fire();
  }

  /**
   * Shows the view without moving the focus. VS Code drops a CodeLens refresh in progress when the editor loses the
   * focus, so a profile that was just opened must not take it.
   */
  static async show(): Promise<void> {
    await vscode.commands.executeCommand(`${TimelineView.id}.focus`, {preserveFocus: true});
  }

  /** Resolves once the view shows its content: see `ViewConnection.whenShown`. */
  async whenShown(): Promise<void> {
    await (await this.#whenConnected()).whenShown();
  }

  /** Whether it is visible. */
  get isVisible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Highlights slices of these names if the view is visible. */
  async highlight(names: readonly string[]): Promise<void> {
    // A view that was hidden meanwhile has nothing to highlight.
    if (this.isVisible) await this.#connection?.ask('timeline/highlight', {names}).catch(() => undefined);
  }

  /** Shows the view, focuses it, and opens its search. */
  async search(): Promise<void> {
    const connection = await this.#focus();
    // Without a profile there is nothing to search: the view says that none is open.
    if (this.services.store.activeOpen) await connection.ask('timeline/search', undefined).catch(() => undefined);
  }

  /** Shows the view, focuses it, and reveals a slice. */
  async reveal(target: RevealTarget): Promise<void> {
    const connection = await this.#focus();
    await connection.ask('timeline/reveal', target);
  }

  async #focus(): Promise<ViewConnection> {
    await vscode.commands.executeCommand(`${TimelineView.id}.focus`);
    return this.#whenConnected();
  }

  #whenConnected(): Promise<ViewConnection> {
    if (this.#connection) return Promise.resolve(this.#connection);
    return new Promise<ViewConnection>(resolve => this.#whenResolved.push(resolve));
  }
}
