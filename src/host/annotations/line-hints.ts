import * as vscode from 'vscode';
import {hintText} from '../../core/text/hint-text.js';
import {hintsOf} from '../../core/lines/hints.js';
import type {EngineClient} from '../../engine/client.js';
import type {Log} from '../base/log.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings, type HintLevel} from '../base/settings.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {Annotations} from './annotations.js';
import type {DocumentTags} from './document-tags.js';
import {RestTimer} from '../base/rest-timer.js';

/** Hints wait longer than marks, because they are read rather than glanced at. */
const restMs = 300;

const severities = {
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
} as const satisfies Record<Exclude<HintLevel, 'off'>, vscode.DiagnosticSeverity>;

/** Shows mistakes whose cost the active profile measured, as diagnostics on lines of visible Python documents. */
export class LineHints implements vscode.Disposable {
  readonly #shown = vscode.languages.createDiagnosticCollection('gpuLens');
  readonly #listeners: vscode.Disposable;
  /** The latest reading of each document; results of an earlier one are outdated. */
  readonly #latest = new WeakMap<vscode.TextDocument, object>();
  #isDisposed = false;
  readonly #rest = new RestTimer(restMs);

  constructor(
    private readonly annotations: Annotations,
    private readonly tags: DocumentTags,
    private readonly files: Pick<RecordedFiles, 'pathIn'>,
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {
    const soon = () => {
      this.#rest.whenStill(() => {
        this.#update();
      });
    };
    this.#listeners = vscode.Disposable.from(
      annotations.onDidChange(document => {
        // Diagnostics from another profile must go, also in documents that are not visible.
        if (document === null) this.#shown.clear();
        soon();
      }),
      annotations.onDidEdit(soon),
      vscode.window.onDidChangeVisibleTextEditors(soon),
      vscode.workspace.onDidCloseTextDocument(({uri}) => {
        this.#shown.delete(uri);
      }),
    );
    soon();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#rest.dispose();
    this.#listeners.dispose();
    this.#shown.dispose();
  }

  #update(): void {
    const documents = new Set(vscode.window.visibleTextEditors.map(({document}) => document));
    for (const document of documents) {
      if (document.languageId === 'python') void this.#read(document);
    }
  }

  async #read(document: vscode.TextDocument): Promise<void> {
    const reading = {};
    this.#latest.set(document, reading);
    const {version} = document;
    const found = await this.#diagnostics(document).catch((error: unknown) => {
      this.log.warn(`No hints for ${document.uri.path}: ${String(error)}`);
      return [];
    });
    const isOld = this.#latest.get(document) !== reading || document.version !== version;
    if (!this.#isDisposed && !isOld && !document.isClosed) this.#shown.set(document.uri, found);
  }

  #isShown({key}: OpenProfile): boolean {
    return this.store.activeOpen?.key === key;
  }

  async #diagnostics(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
    const {hints: level} = readSettings(document.uri);
    const profile = this.store.activeOpen;
    if (!profile || profile.state.summary.info.tables || level === 'off') return [];
    const suspects = await this.tags.suspects(document);
    if (suspects.length === 0) return [];
    const lines = (await this.annotations.of(document)).filter(({timing}) => timing.nameCount > 0);
    const patterns = lines.map(line => line.patterns);
    const stalls = await this.engine.ask('lines/stalls', {profile: profile.state.summary.id, patterns});
    if (!this.#isShown(profile)) return [];
    const hinted = lines.flatMap((line, at) => {
      const ofLine = stalls.lines[at];
      return ofLine ? [{...line, stalls: ofLine}] : [];
    });
    const file = this.files.pathIn(stalls.frames, document.uri, profile);
    const hints = hintsOf(suspects, await this.tags.of(document), hinted, stalls, file);
    return hints.map(hint => {
      const {from, to, kind} = hint.suspect;
      const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
      const diagnostic = new vscode.Diagnostic(range, hintText(hint, stalls), severities[level]);
      diagnostic.source = 'GPU Lens';
      diagnostic.code = kind;
      return diagnostic;
    });
  }
}
