import {foldedStacks} from '../../src/core/flame/flame-export.js';
import {flameKinds, flameName, flamePath, type FlameGraph, type FlameQuery} from '../../src/core/flame/flame-graph.js';
import {firstOfFolded, isFoldedModule} from '../../src/core/figures/module-labels.js';
import {filterOfName} from '../../src/core/scope/range-filter.js';
import {noLineOpens} from '../../src/core/source/no-line.js';
import type {Host} from '../shared/host.js';
import type {Flame} from './flame.js';
import type {MenuItem} from '../shared/menu.js';
import {queryWithSelection} from './stored-query.js';
import {errorText} from '../shared/copied.js';
import {t} from '../shared/translate.js';

/** The context of a block's menu. */
export interface MenuContext {
  readonly host: Host;
  readonly key: number;
  readonly query: FlameQuery;
  readonly ask: (query: FlameQuery) => void;
  readonly tell: (text: string) => void;
}

/** Returns the actions for a block. */
export function blockMenu(flame: Flame, node: number, context: MenuContext): MenuItem[] {
  const {graph} = flame;
  if (!graph) return [];
  const {nodes} = graph;
  const {host, query, ask} = context;
  const name = flameName(graph, node);
  const copy = (text: string) => void host.ask('clipboard/write', {text});
  const range = rangeAround(graph, node);
  const filter = rangeFilterAround(graph, node, query);
  const slice = nodes.slice[node] ?? -1;
  return [
    {text: t('Zoom'), run: () => flame.zoomTo(node)},
    ...(range === null ? [] : [{text: t('Go to source'), run: () => void goToSource(range, context)}]),
    ...(slice < 0 ? [] : [{text: t('Show in timeline'), run: () => showInTimeline(graph, node, context)}]),
    ...(node === 0 || query.mode === 'sandwich'
      ? []
      : [{text: t('Callers and callees of this name'), run: () => ask({...query, mode: 'sandwich', focus: name})}]),
    ...(slice < 0 ? [] : [{text: t('Only the time of this block'), run: () => ask(inTimeOf(graph, node, query))}]),
    ...(filter === null || query.selection?.range === filter
      ? []
      : [{text: t('Only this range'), run: () => ask(queryWithSelection(query, {...query.selection, range: filter}))}]),
    ...(canDiffer(graph, node) ? [{text: t('What if…'), run: () => askWhatIf(name, context)}] : []),
    {text: t('Copy name'), run: () => copy(name)},
    {text: t('Copy path'), run: () => copy(flamePath(graph, node).join('/'))},
    {text: t('Copy as folded stacks'), run: () => copy(foldedStacks(graph, node))},
  ];
}

/** Returns whether a block has a name that a replay can find; a block of several names has none. */
function canDiffer(graph: FlameGraph, node: number): boolean {
  const kind = flameKinds[graph.nodes.kind[node] ?? 0] ?? 'root';
  return (kind === 'range' || kind === 'operator' || kind === 'operation') && !isFoldedModule(flameName(graph, node));
}

function askWhatIf(name: string, {host, key, tell}: MenuContext): void {
  const row = {kind: 'operation', name, selection: {}, stack: {}} as const;
  host.ask('tables/show', {key, row, in: 'what-if'}).catch((error: unknown) => {
    tell(errorText(error));
  });
}

/** Returns the innermost range that is a block or contains it: lines open ranges. */
function rangeAround(graph: FlameGraph, node: number): string | null {
  const at = rangeNodeAround(graph, node);
  return at > 0 ? flameName(graph, at) : null;
}

/**
 * Returns that range as a selection names it; null if there is none, or if several names were folded into the block,
 * because no range has the folded name. Only a graph by call path records how many names a block holds: in other folded
 * graphs a star may stand for a number.
 */
export function rangeFilterAround(graph: FlameGraph, node: number, {isFolded = false}: FlameQuery): string | null {
  const at = rangeNodeAround(graph, node);
  if (at <= 0) return null;
  const name = flameName(graph, at);
  const isOfSeveral = graph.mode === 'merged' ? (graph.nodes.members[at] ?? 0) > 0 : isFolded && name.includes('*');
  return isOfSeveral || isFoldedModule(name) ? null : filterOfName(name);
}

function rangeNodeAround({nodes: {kind, parent}}: FlameGraph, node: number): number {
  let at = node;
  while (at > 0 && flameKinds[kind[at] ?? 0] !== 'range') at = parent[at] ?? -1;
  return at;
}

async function goToSource(shownName: string, {host, key, tell}: MenuContext): Promise<void> {
  const name = firstOfFolded(shownName);
  if (!(await host.ask('source/reveal', {key, name}))) tell(noLineOpens(name));
}

function showInTimeline({nodes, ...graph}: FlameGraph, node: number, {host}: MenuContext): void {
  const fromNs = nodes.firstNs[node] ?? 0;
  const toNs = nodes.lastNs[node] ?? fromNs;
  const marginNs = Math.max(1000, (toNs - fromNs) * 0.1);
  const names = [flameName({nodes, ...graph}, node)];
  const target = {slice: nodes.slice[node] ?? -1, fromNs: fromNs - marginNs, toNs: toNs + marginNs, names};
  void host.ask('timeline/show', target);
}

function inTimeOf({nodes}: FlameGraph, node: number, query: FlameQuery): FlameQuery {
  const fromNs = nodes.firstNs[node] ?? 0;
  const toNs = Math.max(fromNs + 1, nodes.lastNs[node] ?? 0);
  return {...query, selection: {...query.selection, fromNs, toNs}};
}
