import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import {isFields} from '../../core/base/read-json.js';
import type {BudgetResult, WrittenBudget} from '../../core/compare/check-budgets.js';
import type {EngineClient} from '../../engine/client.js';
import {mostSourceBytes} from '../../source/file-contents.js';
import {sourceBudgets} from '../../source/source-budgets.js';
import {projectFile} from '../../sql/read-dismissals.js';
import {DocumentProblems} from '../base/document-problems.js';
import type {Log} from '../base/log.js';
import {comparedProfile} from '../profiles/compared-profile.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {RunHistory} from '../runs/run-history.js';
import {budgetBase, withProfile} from './budget-base.js';

/** A budget and its place in a document. */
interface PlacedBudget {
  readonly budget: WrittenBudget;
  readonly range: vscode.Range;
}

/** Budgets wait longer than marks, because they are read rather than glanced at. */
const restMs = 500;

/**
 * Shows budgets that the active profile breaks, or that cannot be checked, as problems on their lines: in comments of
 * the visible sources, and in `.gpu-lens.json`. Budgets that hold are not shown.
 */
export class BudgetProblems implements vscode.Disposable {
  readonly #shown = new DocumentProblems('gpuLens.budgets', restMs, document => this.#find(document));
  readonly #listeners: vscode.Disposable;
  #key: number | null;
  readonly #closing = new AbortController();

  constructor(
    private readonly store: Pick<ProfileStore, 'activeOpen' | 'onDidChange'>,
    private readonly engine: Pick<EngineClient, 'open' | 'ask'>,
    private readonly history: Pick<RunHistory, 'runs' | 'onDidChange'>,
    private readonly log: Log,
  ) {
    this.#key = store.activeOpen?.key ?? null;
    const soon = this.#shown.findSoon;
    this.#listeners = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key === this.#key) return;
        this.#key = key;
        // Removes problems of the profile shown before.
        this.#shown.clear();
        soon();
      }),
      history.onDidChange(soon),
      vscode.workspace.onDidChangeTextDocument(({document}) => {
        // The log is a document too, and a check may write to it.
        if (document.uri.scheme === 'file') soon();
      }),
    );
    soon();
  }

  dispose(): void {
    this.#closing.abort();
    this.#listeners.dispose();
    this.#shown.dispose();
  }

  async #find(document: vscode.TextDocument): Promise<vscode.Diagnostic[] | null> {
    const profile = this.store.activeOpen;
    const budgets = profile ? await budgetsIn(document) : [];
    const found = profile && budgets.length > 0 ? await this.#problems(profile, budgets) : [];
    return this.store.activeOpen?.key === profile?.key ? found : null;
  }

  async #problems(profile: OpenProfile, budgets: readonly PlacedBudget[]): Promise<vscode.Diagnostic[]> {
    const results = await this.#check(profile, budgets).catch((error: unknown): BudgetResult[] => {
      this.log.warn(`Budgets are not checked: ${String(error)}`);
      // A budget that cannot be checked counts as broken.
      const {message} = describeError(error, 'internal');
      return budgets.map(({budget: {text, place}}) => ({budget: text, place, verdict: 'cannot tell', text: message}));
    });
    return results.flatMap((result, at) => diagnosticOf(result, budgets[at]?.range));
  }

  async #check(profile: OpenProfile, placed: readonly PlacedBudget[]): Promise<BudgetResult[]> {
    const budgets = placed.map(({budget}) => budget);
    const run = comparedProfile(profile);
    const isOfChange = budgets.some(({text}) => text.includes('no slower'));
    const path = isOfChange ? await budgetBase(profile.path, this.history) : null;
    if (path === null) return this.engine.ask('budgets', {budgets, run, base: null});
    return withProfile(this.engine, path, this.#closing.signal, base =>
      this.engine.ask('budgets', {budgets, run, base}),
    );
  }
}

async function budgetsIn(document: vscode.TextDocument): Promise<PlacedBudget[]> {
  const {uri} = document;
  const text = document.getText();
  if (uri.path.endsWith(`/${projectFile}`)) return fileBudgets(document, text);
  if (uri.scheme !== 'file' || text.length > mostSourceBytes(uri.path)) return [];
  return (await sourceBudgets(uri.path, text)).map(({line, ...budget}) => {
    const end = document.lineAt(line - 1).range.end;
    const start = document.lineAt(line - 1).text.lastIndexOf('gpu:');
    return {
      budget: {...budget, place: `line ${String(line)}`},
      range: new vscode.Range(new vscode.Position(line - 1, start), end),
    };
  });
}

/** Returns the texts below "budgets" with their places; none while the file is invalid JSON. */
function fileBudgets(document: vscode.TextDocument, text: string): PlacedBudget[] {
  const budgets = jsonOf(text)?.['budgets'];
  const list: readonly unknown[] = Array.isArray(budgets) ? budgets : [];
  let from = text.indexOf('"budgets"');
  return list.flatMap(one => {
    if (typeof one !== 'string') return [];
    const written = JSON.stringify(one);
    const at = text.indexOf(written, from);
    if (at < 0) return [];
    from = at + written.length;
    const range = new vscode.Range(document.positionAt(at), document.positionAt(from));
    return [{budget: {text: one, place: projectFile}, range}];
  });
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(text);
    return isFields(json) ? json : null;
  } catch {
    return null;
  }
}

function diagnosticOf({budget, verdict, text}: BudgetResult, range: vscode.Range | undefined): vscode.Diagnostic[] {
  if (verdict === 'holds' || !range) return [];
  const isBroken = verdict === 'broken';
  const sentence = isBroken
    ? vscode.l10n.t('Over budget "{0}": {1}', budget, text)
    : vscode.l10n.t('Whether "{0}" holds cannot be told: {1}', budget, text);
  const {Error, Warning} = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(range, sentence, isBroken ? Error : Warning);
  diagnostic.source = 'GPU Lens';
  diagnostic.code = 'budget';
  return [diagnostic];
}
