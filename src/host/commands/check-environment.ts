import * as vscode from 'vscode';
import {checkEnvironment} from '../../launch/doctor/check-environment.js';
import {environmentText} from '../../launch/doctor/environment-text.js';
import {showFailure, type Log} from '../base/log.js';
import {interpreterHints} from '../run/interpreter.js';
import {readSettings} from '../base/settings.js';

const scheme = 'gpulens-environment';
const document = vscode.Uri.from({scheme, path: 'GPU Lens environment'});

/** "Check environment": shows, as text, what profiling can use on this machine, and how to get what is missing. */
export class EnvironmentCheck implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.#changed.event;
  #text = '';

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly log: Log,
  ) {}

  provideTextDocumentContent(): string {
    return this.#text;
  }

  /** Checks again and shows the result. */
  async show(): Promise<void> {
    try {
      if (!vscode.workspace.isTrusted) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('GPU Lens asks interpreters and nsys only in a trusted workspace.'),
        );
        return;
      }
      this.#text = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          cancellable: true,
          title: vscode.l10n.t('Checking the environment'),
        },
        (_progress, token) => this.#look(token),
      );
      this.log.info(this.#text);
      this.#changed.fire(document);
      await vscode.window.showTextDocument(document, {preview: true});
    } catch (error) {
      await showFailure(this.log, error);
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  async #look(token: vscode.CancellationToken): Promise<string> {
    const stop = new AbortController();
    token.onCancellationRequested(() => {
      stop.abort();
    });
    const checks = await checkEnvironment({
      python: await interpreterHints(vscode.window.activeTextEditor?.document.uri),
      nsys: {setting: readSettings().nsys},
      runner: vscode.Uri.joinPath(this.extensionUri, 'src', 'runner').fsPath,
      signal: stop.signal,
    });
    return environmentText(checks);
  }
}
