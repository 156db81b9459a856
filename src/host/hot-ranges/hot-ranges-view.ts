import * as vscode from 'vscode';
import {askText} from '../base/ask.js';
import type {TimeWindow} from '../../core/base/time-window.js';
import {scopeText} from '../../core/text/line-timing.js';
import {rangeNodeText} from '../../core/text/range-node-text.js';
import type {RangeNode, RangeTree} from '../../core/questions/range-tree.js';
import {lineRanks, lineRanksSpread, slowerText, type LineRanks} from '../../core/job/line-ranks.js';
import {automaticRanges} from '../../core/source/automatic-ranges.js';
import type {EngineClient} from '../../engine/client.js';
import {moduleOfRange} from '../../core/source/module-forward.js';
import {isPyTorchRange} from '../../core/source/pytorch-ranges.js';
import {commandIds} from '../base/command-ids.js';
import type {Log} from '../base/log.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';

/** A path of ranges in the view: its index in the tree's nodes. */
export interface RangeItem {
  readonly at: number;
  readonly name: string;
  /** Whether the name has "*" in place of step numbers. */
  readonly isFolded: boolean;
}

const emptyTree: RangeTree = {of: 'profile', steps: 0, nodes: [], omitted: 0, allGpuWorkNs: 0, allWallNs: 0};

/** "Hot Ranges" in the side bar: the ranges of the active profile by path, with their figures. */
export class HotRangesView implements vscode.TreeDataProvider<RangeItem>, vscode.Disposable {
  static readonly id = 'gpuLens.hotRanges';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<RangeItem>;
  readonly #listener: vscode.Disposable;
  #tree: RangeTree = emptyTree;
  /** Why there is no tree, for the user; '' if there is one, or no profile. */
  #missing = '';
  #filter = '';
  #shownKey: number | null = null;
  #treeKey: number | null = null;
  #treeScope: TimeWindow | null = null;
  /** Names that no line of the workspace opens, once known. */
  #sourceless: ReadonlySet<string> = new Set();

  constructor(
    private readonly store: ProfileStore,
    private readonly jobs: Pick<JobStore, 'active' | 'rankOf' | 'onDidChange'>,
    private readonly scopes: Pick<ProfileScopes, 'of' | 'onDidChange'>,
    private readonly engine: EngineClient,
    private readonly workspace: WorkspaceIndex,
    private readonly log: Log,
  ) {
    this.#view = vscode.window.createTreeView(HotRangesView.id, {treeDataProvider: this, showCollapseAll: true});
    this.#listener = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key !== this.#shownKey) this.#changed.fire();
        this.#shownKey = key;
      }),
      scopes.onDidChange(() => {
        if (scopes.of(store.activeOpen) !== this.#treeScope) this.readAgain();
      }),
      jobs.onDidChange(() => {
        this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getTreeItem({at, name, isFolded}: RangeItem): vscode.TreeItem {
    const node = this.#tree.nodes[at];
    const hasChildren = this.#childrenOf(at).length > 0;
    const item = new vscode.TreeItem(
      name,
      hasChildren ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
    );
    if (!node) return item;
    item.description = rangeNodeText(node, this.#tree);
    item.tooltip = `${this.#pathOf(node).join(' › ')}\n${item.description}`;
    const ranks = isFolded ? null : this.#ranksOf(name);
    if (ranks) {
      if (ranks.slowerBy !== null) item.description += ` · ${slowerText(ranks)}`;
      item.tooltip += `\n${vscode.l10n.t('All ranges of this name.')} ${lineRanksSpread(ranks)}`;
    }
    if (this.#sourceless.has(name)) {
      item.description += ` · ${vscode.l10n.t('not found in the workspace')}`;
      item.tooltip += `\n${vscode.l10n.t('No line of the workspace opens a range of this name.')}`;
    } else if (!isPyTorchRange(name)) {
      item.contextValue = 'range';
      item.command = {
        command: commandIds.revealRange,
        title: vscode.l10n.t('Go to source'),
        arguments: [{at, name, isFolded}],
      };
    }
    // A screen reader reads this as a sentence.
    item.accessibilityInformation = {label: `${name}, ${item.description}`};
    return item;
  }

  /** VS Code calls this when the view becomes visible; only then is the tree read. */
  getChildren(item?: RangeItem): RangeItem[] {
    if (!item) this.#load();
    return this.#childrenOf(item?.at ?? -1).map(at => {
      const node = this.#tree.nodes[at];
      return {at, name: node?.name ?? '', isFolded: node?.isFolded ?? false};
    });
  }

  /** Reads the active profile's ranges again. */
  readAgain(): void {
    this.#treeKey = null;
    this.#changed.fire();
  }

  /** Asks for a text that names must contain; "" for all. */
  async filter(): Promise<void> {
    const text = await askText({
      title: vscode.l10n.t('Filter hot ranges'),
      prompt: vscode.l10n.t('A part of the name; nothing shows all.'),
      value: this.#filter,
    });
    if (text === undefined) return;
    this.#filter = text.trim();
    this.#changed.fire();
  }

  /** Clears the previous profile's tree at once, and fills in this one's when it is read. */
  #load(): void {
    const profile = this.store.activeOpen;
    const key = profile?.key ?? null;
    if (key !== this.#treeKey || this.scopes.of(profile) !== this.#treeScope) {
      this.#treeKey = key;
      this.#treeScope = this.scopes.of(profile);
      this.#tree = emptyTree;
      this.#sourceless = new Set();
      this.#missing = profile ? vscode.l10n.t('Reading the ranges of {0} …', profile.name) : '';
      if (profile) void this.#read(profile);
    }
    const scope = this.scopes.of(profile);
    const texts = [scope ? vscode.l10n.t('Figures are {0}.', scopeText(scope)) : '', this.#message()];
    this.#view.message = texts.filter(text => text !== '').join(' ');
  }

  async #read(profile: OpenProfile): Promise<void> {
    let tree = emptyTree;
    let missing = '';
    const scope = this.#treeScope;
    try {
      const {sidecar, summary} = profile.state;
      const operators = [...automaticRanges(sidecar).keys()];
      tree = await this.engine.ask('ranges/tree', {
        profile: summary.id,
        of: scope ?? 'steps',
        ...(operators.length > 0 && {operators}),
      });
    } catch (error) {
      this.log.warn(`No hot ranges: ${String(error)}`);
      missing = vscode.l10n.t(
        'The ranges of {0} could not be read; the log says why. “Read Again” above tries once more.',
        profile.name,
      );
    }
    if (profile.key !== this.#treeKey || scope !== this.scopes.of(profile)) return;
    [this.#tree, this.#missing] = [tree, missing];
    this.#changed.fire();
    if (tree.nodes.length > 0) await this.#findSources(profile);
  }

  async #findSources({key, state}: OpenProfile): Promise<void> {
    const index = await this.workspace.whenRead();
    const seen = new Set([
      ...(state.sidecar?.sites ?? []).map(({name}) => name),
      ...automaticRanges(state.sidecar).keys(),
    ]);
    const names = new Set(this.#tree.nodes.filter(({isFolded}) => !isFolded).map(({name}) => name));
    // PyTorch's own modules have no line in a workspace.
    const hasSource = (name: string) =>
      moduleOfRange(name) !== null || seen.has(name) || isPyTorchRange(name) || index.placesFor(name).length > 0;
    // Steps form one node, whatever their names.
    const sourceless = new Set([...names].filter(name => !hasSource(name)));
    if (key !== this.#treeKey || (sourceless.size === 0 && this.#sourceless.size === 0)) return;
    this.#sourceless = sourceless;
    this.#changed.fire();
  }

  /** Returns the ranges of a name over the ranks if the active profile is one of the active job's. */
  #ranksOf(name: string): LineRanks | null {
    const {active} = this.jobs;
    const path = this.store.activeOpen?.path;
    return active && path !== undefined && this.jobs.rankOf(path) !== null ? lineRanks(active.view, [[name]]) : null;
  }

  #message(): string {
    const {nodes, omitted} = this.#tree;
    if (this.#missing !== '') return this.#missing;
    if (this.#filter !== '') {
      const isNone = nodes.length > 0 && this.#kept()?.size === 0;
      return isNone
        ? vscode.l10n.t('No range has "{0}" in its name.', this.#filter)
        : vscode.l10n.t('Filter: {0}', this.#filter);
    }
    if (nodes.length === 0 && this.store.activeOpen) {
      return this.scopes.of(this.store.activeOpen)
        ? vscode.l10n.t('No tagged range has a part in the window that is marked in the timeline.')
        : vscode.l10n.t('This profile has no tagged ranges.');
    }
    return omitted > 0 ? vscode.l10n.t('{0} more with less work', omitted) : '';
  }

  /** Returns the child nodes that the filter keeps: those with the text in their name, and their ancestors. */
  #childrenOf(parent: number): number[] {
    const kept = this.#kept();
    const found: number[] = [];
    this.#tree.nodes.forEach((node, at) => {
      if (node.parent === parent && (kept === null || kept.has(at))) found.push(at);
    });
    return found;
  }

  #kept(): ReadonlySet<number> | null {
    if (this.#filter === '') return null;
    const wanted = this.#filter.toLowerCase();
    const kept = new Set<number>();
    this.#tree.nodes.forEach(({name}, at) => {
      if (!name.toLowerCase().includes(wanted)) return;
      for (let path = at; path >= 0; path = this.#tree.nodes[path]?.parent ?? -1) kept.add(path);
    });
    return kept;
  }

  #pathOf(node: RangeNode): string[] {
    const around = this.#tree.nodes[node.parent];
    return [...(around ? this.#pathOf(around) : []), node.name];
  }
}
