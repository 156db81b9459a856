import * as vscode from 'vscode';
import {rangeNodeText} from '../../core/format/range-node-text.js';
import type {RangeNode, RangeTree} from '../../core/queries/range-tree.js';
import type {EngineClient} from '../../engine/client.js';
import {commandIds} from '../command-ids.js';
import type {Log} from '../log.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** A path of ranges in the view: its position in the tree's nodes. */
export interface RangeItem {
  readonly at: number;
  readonly name: string;
}

const emptyTree: RangeTree = {of: 'profile', steps: 0, nodes: [], omitted: 0, allGpuWorkNs: 0, allWallNs: 0};

/** "Hot ranges" in the explorer: the ranges of the active profile by path, with their figures. */
export class HotRangesView implements vscode.TreeDataProvider<RangeItem>, vscode.Disposable {
  static readonly id = 'gpuLens.hotRanges';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<RangeItem>;
  readonly #listener: vscode.Disposable;
  #tree: RangeTree = emptyTree;
  #filter = '';
  #key: number | null = null;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {
    this.#view = vscode.window.createTreeView(HotRangesView.id, {treeDataProvider: this, showCollapseAll: true});
    this.#listener = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key === this.#key) return;
        this.#key = key;
        // Nobody sees it: it is asked for when it is shown.
        if (this.#view.visible) void this.#load();
        else this.#tree = emptyTree;
      }),
      this.#view.onDidChangeVisibility(({visible}) => {
        if (visible) void this.#load();
      }),
    );
  }

  dispose(): void {
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getTreeItem({at, name}: RangeItem): vscode.TreeItem {
    const node = this.#tree.nodes[at];
    const hasChildren = this.#childrenOf(at).length > 0;
    const item = new vscode.TreeItem(
      name,
      hasChildren ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
    );
    if (!node) return item;
    item.description = rangeNodeText(node, this.#tree);
    item.tooltip = `${this.#pathOf(node).join(' › ')}\n${item.description}`;
    item.contextValue = 'range';
    item.command = {command: commandIds.revealRange, title: 'Go to source', arguments: [{at, name}]};
    // The window's reader says it as a sentence.
    item.accessibilityInformation = {label: `${name}, ${item.description}`};
    return item;
  }

  getChildren(item?: RangeItem): RangeItem[] {
    return this.#childrenOf(item?.at ?? -1).map(at => ({at, name: this.#tree.nodes[at]?.name ?? ''}));
  }

  /** Asks for a text that names must contain, "" for all. */
  async filter(): Promise<void> {
    const text = await vscode.window.showInputBox({
      title: 'Filter hot ranges',
      prompt: 'A part of the name; nothing shows all.',
      value: this.#filter,
    });
    if (text === undefined) return;
    this.#filter = text.trim();
    this.#show();
  }

  async #load(): Promise<void> {
    const profile = this.store.activeOpen;
    try {
      const tree = profile ? await this.engine.ask('ranges/tree', {profile: profile.state.summary.id}) : emptyTree;
      if (profile?.key !== this.store.activeOpen?.key) return;
      this.#tree = tree;
      this.#show();
    } catch (error) {
      this.log.warn(`No hot ranges: ${String(error)}`);
    }
  }

  #show(): void {
    const {nodes, omitted} = this.#tree;
    if (this.#filter !== '') this.#view.message = `Filter: ${this.#filter}`;
    else if (nodes.length === 0 && this.store.activeOpen) this.#view.message = 'This profile has no tagged ranges.';
    else this.#view.message = omitted > 0 ? `${String(omitted)} more with less work` : '';
    this.#changed.fire();
  }

  /** The nodes below one that the filter keeps: those that have the text in their name, and those around them. */
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
