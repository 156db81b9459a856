import * as vscode from 'vscode';
import {predictedLineText, predictedLineTooltip, type PredictedLine} from '../../core/predicted-gpu/predicted-lines.js';
import type {EngineClient} from '../../engine/client.js';
import {commandIds} from '../base/command-ids.js';
import type {Log} from '../base/log.js';
import {readSettings} from '../base/settings.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {Annotations, LineAnnotation} from './annotations.js';

interface Known {
  readonly key: string;
  readonly lines: Promise<readonly (PredictedLine | null)[] | null>;
}

/** Shows above each line of a CPU recording what it would launch on a GPU that is not present, marked as predicted. */
export class PredictedLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  readonly #known = new WeakMap<vscode.TextDocument, Known>();

  constructor(
    private readonly annotations: Pick<Annotations, 'of' | 'onDidChange'>,
    private readonly store: Pick<ProfileStore, 'activeOpen'>,
    private readonly engine: Pick<EngineClient, 'ask'>,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.onDidChangeCodeLenses = (listener, self, disposables) =>
      annotations.onDidChange(() => void listener.call(self), undefined, disposables);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const {codeLensEnabled, predictFor} = readSettings(document.uri);
    const profile = this.store.activeOpen;
    if (!codeLensEnabled || predictFor === null || !profile) return [];
    const annotated = await this.annotations.of(document);
    const lines = annotated.filter(({timing}) => timing.nameCount > 0 && !timing.isGpuProfile);
    if (lines.length === 0) return [];
    const predicted = await this.#ask(document, profile, lines, predictFor);
    return (predicted ?? []).flatMap((line, at) => (line ? lensAt(lines[at]?.tag.line ?? 1, line, predictFor) : []));
  }

  /** Asks about all lines of a document at once, and again only if the question changes. */
  async #ask(
    document: vscode.TextDocument,
    profile: OpenProfile,
    lines: readonly LineAnnotation[],
    system: string,
  ): Promise<readonly (PredictedLine | null)[] | null> {
    const patterns = lines.map(line => line.patterns);
    const key = JSON.stringify([profile.key, system, patterns]);
    let known = this.#known.get(document);
    if (known?.key !== key) {
      const {id} = profile.state.summary;
      known = {key, lines: this.engine.ask('lines/predicted', {profile: id, patterns, system})};
      this.#known.set(document, known);
    }
    try {
      return await known.lines;
    } catch (error) {
      this.#known.delete(document);
      this.log.warn(`No predictions for ${document.uri.path}: ${String(error)}`);
      return null;
    }
  }
}

/** @param line from 1 */
function lensAt(line: number, predicted: PredictedLine, system: string): vscode.CodeLens[] {
  const position = new vscode.Position(line - 1, 0);
  const title = predictedLineText(predicted, system);
  const command = {title, tooltip: predictedLineTooltip(predicted), command: commandIds.showWhatIf};
  return [new vscode.CodeLens(new vscode.Range(position, position), command)];
}
