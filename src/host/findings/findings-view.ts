import {isDeepStrictEqual} from 'node:util';
import * as vscode from 'vscode';
import {evidenceText, findingPlace, noGpuWork, nothingFound, weightText} from '../../core/findings/findings-page.js';
import type {Finding, Severity} from '../../core/findings/rules/finding.js';
import {formatDuration} from '../../core/format/duration.js';
import {commandIds} from '../base/command-ids.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {FindingsStore, KnownFindings} from './known-findings.js';

/** A row of the view: a finding, or one of its details. */
export interface FindingItem {
  readonly finding: Finding;
  /** Null for the finding itself. */
  readonly detail: {readonly label: string; readonly description: string; readonly icon: string} | null;
}

const severityIcons: Readonly<Record<Severity, readonly [icon: string, color: string]>> = {
  high: ['flame', 'charts.red'],
  medium: ['warning', 'charts.yellow'],
  low: ['info', 'charts.blue'],
};

/** "Findings" in the side bar: what keeps the active profile's GPU idle or slow, each with its evidence. */
export class FindingsView implements vscode.TreeDataProvider<FindingItem>, vscode.Disposable {
  static readonly id = 'gpuLens.findings';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<FindingItem>;
  readonly #listener: vscode.Disposable;
  #shownKey: number | null = null;
  #shown: KnownFindings = null;

  constructor(
    private readonly store: Pick<ProfileStore, 'activeOpen' | 'onDidChange'>,
    private readonly findings: Pick<FindingsStore, 'of' | 'ask' | 'onDidChange'>,
  ) {
    this.#view = vscode.window.createTreeView(FindingsView.id, {treeDataProvider: this, showCollapseAll: true});
    this.#listener = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key !== this.#shownKey) this.#changed.fire();
        this.#shownKey = key;
      }),
      findings.onDidChange(() => {
        this.#update();
      }),
    );
  }

  dispose(): void {
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getTreeItem(item: FindingItem): vscode.TreeItem {
    return item.detail ? detailRow(item.detail) : findingRow(item);
  }

  /** VS Code calls this when the view becomes visible; only then are findings searched. */
  getChildren(item?: FindingItem): FindingItem[] {
    if (item) return item.detail ? [] : detailsOf(item.finding);
    const profile = this.store.activeOpen;
    if (profile) this.findings.ask(profile);
    this.#shown = profile && this.findings.of(profile);
    this.#view.message = profile ? messageOf(this.#shown, profile.name) : '';
    const found = this.#shown && 'findings' in this.#shown ? this.#shown.findings : [];
    return found.map(finding => ({finding, detail: null}));
  }

  /** Draws the rows again if they differ: VS Code forgets them meanwhile, and a command of a row would get none. */
  #update(): void {
    const profile = this.store.activeOpen;
    if (profile && this.#view.visible) this.findings.ask(profile);
    const known = profile && this.findings.of(profile);
    // A hidden view asks for what is outdated when it is drawn.
    if (!this.#view.visible || !isDeepStrictEqual(known, this.#shown)) this.#changed.fire();
  }
}

function messageOf(known: KnownFindings, name: string): string {
  if (!known) return vscode.l10n.t('Looking for what stands in the way in {0}…', name);
  if ('problem' in known) return known.problem;
  const none = known.hasGpuWork ? nothingFound() : noGpuWork();
  return [known.findings.length === 0 ? none : '', ...known.notes].filter(Boolean).join(' ');
}

function findingRow(item: FindingItem): vscode.TreeItem {
  const {title, severity, gainAtMostNs, file, startNs, advice} = item.finding;
  // A narrow side bar cuts off the end of a title, so the figure comes first.
  const most = gainAtMostNs === null ? '' : `≤ ${formatDuration(gainAtMostNs)} · `;
  const row = new vscode.TreeItem(`${most}${title}`, vscode.TreeItemCollapsibleState.Collapsed);
  const [icon, color] = severityIcons[severity];
  row.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  const weight = weightText(item.finding);
  row.description = file === null ? '' : shortPlace(item.finding);
  row.tooltip = `${title}\n${weight}\n${advice}`;
  row.contextValue =
    [file === null ? '' : 'source', startNs === null ? '' : 'time'].filter(Boolean).join(' ') || 'finding';
  const command = file !== null ? commandIds.revealFinding : startNs !== null ? commandIds.showFindingInTimeline : null;
  if (command !== null) row.command = {command, title: vscode.l10n.t('Show'), arguments: [item]};
  row.accessibilityInformation = {label: `${title} ${weight} ${row.description}`};
  return row;
}

function detailsOf(finding: Finding): FindingItem[] {
  const {evidence, advice} = finding;
  const told = evidence.map(one => ({label: evidenceText(one), description: one.text, icon: 'symbol-numeric'}));
  return [...told, {label: advice, description: '', icon: 'lightbulb'}].map(detail => ({finding, detail}));
}

function detailRow({label, description, icon}: NonNullable<FindingItem['detail']>): vscode.TreeItem {
  const row = new vscode.TreeItem(label);
  row.description = description;
  row.tooltip = [description, label].filter(Boolean).join(': ');
  row.iconPath = new vscode.ThemeIcon(icon);
  return row;
}

/** `train.py:12`. */
function shortPlace(finding: Finding): string {
  return findingPlace(finding).split(/[\\/]/).at(-1) ?? '';
}
