import * as vscode from 'vscode';
import {evidenceText} from '../../core/findings/findings-page.js';
import type {Finding} from '../../core/findings/rules/finding.js';
import type {Annotations} from '../annotations/annotations.js';
import {commandIds} from '../base/command-ids.js';
import {DocumentProblems} from '../base/document-problems.js';
import type {Log} from '../base/log.js';
import {readSettings} from '../base/settings.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {FindingsStore} from './known-findings.js';

/** A finding with the line that it leads to. */
type PlacedFinding = Finding & {readonly file: string; readonly line: number};

/** Findings wait longer than marks, because they are read rather than glanced at. */
const restMs = 300;
const source = 'GPU Lens';

/**
 * Shows the active profile's findings as problems on their lines in visible documents. They move with edits, and are
 * removed with their line. A hover shows the evidence; the light bulb dismisses a finding or shows it in the timeline.
 */
export class FindingProblems implements vscode.CodeActionProvider, vscode.Disposable {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #shown = new DocumentProblems('gpuLens.findings', restMs, document => this.#find(document));
  readonly #listeners: vscode.Disposable;
  /** The findings with a line, for each list of the store: lookups of files are cached by the list. */
  readonly #placed = new WeakMap<object, readonly PlacedFinding[]>();

  constructor(
    private readonly store: Pick<ProfileStore, 'activeOpen'>,
    private readonly findings: Pick<FindingsStore, 'of' | 'ask' | 'onDidChange'>,
    private readonly annotations: Pick<Annotations, 'recordedLinesNow' | 'onDidChange' | 'onDidEdit'>,
    private readonly files: Pick<RecordedFiles, 'pathIn'>,
    private readonly log: Log,
  ) {
    const soon = this.#shown.findSoon;
    this.#listeners = vscode.Disposable.from(
      findings.onDidChange(soon),
      annotations.onDidChange(document => {
        // Problems from another profile must go, also in documents that are not visible.
        if (document === null) this.#shown.clear();
        soon();
      }),
      annotations.onDidEdit(soon),
    );
    soon();
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#shown.dispose();
  }

  provideCodeActions(
    _: vscode.TextDocument,
    __: vscode.Range,
    {diagnostics}: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const profile = this.store.activeOpen;
    if (!profile) return [];
    const placed = this.#placedOf(profile);
    return diagnostics.flatMap(diagnostic => {
      const finding = diagnostic.source === source ? placed.find(one => one.rule === ruleOf(diagnostic)) : undefined;
      return finding ? actionsFor(finding, diagnostic) : [];
    });
  }

  #find(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
    return this.#diagnostics(document).catch((error: unknown) => {
      this.log.warn(`No findings on the lines of ${document.uri.path}: ${String(error)}`);
      return [];
    });
  }

  #isShown({key}: OpenProfile): boolean {
    return this.store.activeOpen?.key === key;
  }

  async #diagnostics(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
    const profile = this.store.activeOpen;
    if (!profile || readSettings(document.uri).hints === 'off') return [];
    const placed = this.#placedOf(profile);
    const file = placed.length > 0 ? this.files.pathIn(placed, document.uri, profile) : null;
    if (file === null) return [];
    const lineNow = await this.annotations.recordedLinesNow(document, profile);
    if (!this.#isShown(profile)) return [];
    return placed.flatMap(finding => {
      const line = finding.file === file ? (lineNow ? lineNow(finding.line) : finding.line) : null;
      return line === null || line > document.lineCount ? [] : [diagnosticOf(finding, document.lineAt(line - 1))];
    });
  }

  #placedOf(profile: OpenProfile): readonly PlacedFinding[] {
    const known = this.findings.of(profile);
    // Lines never have findings searched first, but outdated ones are computed again.
    if (known) this.findings.ask(profile);
    if (!known || !('findings' in known)) return [];
    const before = this.#placed.get(known);
    if (before) return before;
    const placed = known.findings.filter((one): one is PlacedFinding => one.file !== null && one.line !== null);
    this.#placed.set(known, placed);
    return placed;
  }
}

function diagnosticOf(finding: PlacedFinding, line: vscode.TextLine): vscode.Diagnostic {
  const {title, evidence, advice, rule, link} = finding;
  const told = evidence.map(one => `${one.text}: ${evidenceText(one)}`);
  const {start, end} = line.range;
  const range = new vscode.Range(new vscode.Position(start.line, line.firstNonWhitespaceCharacterIndex), end);
  const text = [`${title}.`, ...told, advice].join('\n');
  const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Information);
  diagnostic.source = source;
  // A team's own rule may contain anything: only web pages are opened.
  diagnostic.code = link?.startsWith('https://') ? {value: rule, target: vscode.Uri.parse(link)} : rule;
  return diagnostic;
}

function ruleOf({code}: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

function actionsFor(finding: PlacedFinding, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
  const action = (title: string, command: string, argument: unknown) => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    made.command = {command, title, arguments: [argument]};
    made.diagnostics = [diagnostic];
    return made;
  };
  const item = {finding, detail: null};
  const timeline =
    finding.startNs === null
      ? []
      : [action(vscode.l10n.t('Show in GPU timeline'), commandIds.showFindingInTimeline, item)];
  return [...timeline, action(vscode.l10n.t('Dismiss finding {0}…', finding.rule), commandIds.dismissFinding, item)];
}
