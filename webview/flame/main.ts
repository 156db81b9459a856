import './flame.css';
import type {FlameQuery} from '../../src/core/flame/flame-graph.js';
import {flameName, flamePath, nodeOfPath} from '../../src/core/flame/flame-graph.js';
import {formatWeight} from '../../src/core/flame/flame-text.js';
import type {FlameViewRequests, HostRequests, JobRanks, ProfileView} from '../../src/protocol/view-messages.js';
import {CarriedView} from '../shared/carried-view.js';
import {ContentArea} from '../shared/content.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {selectionChoices, type SelectionChoices} from '../shared/selection-controls.js';
import {button, iconButton} from '../shared/ui.js';
import {blockMenu} from './block-menu.js';
import {Flame} from './flame.js';
import {bindKeys, keyHelp} from './keys.js';
import {Menu} from './menu.js';
import {QueryBar} from './query-bar.js';
import {pictureFile, pictureFormats, savedText} from './save-picture.js';
import {SearchBox} from './search-box.js';
import {queryOfRange, queryOfRank, queryOfSelection, storedQuery, wholeQuery} from './stored-query.js';

const host = connectHost<HostRequests, FlameViewRequests>();
const title = element('span', {className: 'title'});
const total = element('span', {className: 'muted'});
const spring = element('span', {className: 'spring'});
const crumbs = element('div', {
  className: 'crumbs',
  attributes: {role: 'navigation', 'aria-label': 'Path of the shown block'},
});
const canvas = element('canvas', {
  attributes: {
    tabindex: '0',
    role: 'img',
    'aria-label': 'Flame graph. Arrow keys move, Enter zooms, Escape goes back, / searches, ? lists the keys.',
  },
});
const details = element('div', {className: 'details', attributes: {'aria-live': 'polite', 'data-testid': 'selection'}});
const empty = element('div', {className: 'message muted'});
const stage = element('div', {className: 'stage', children: [canvas]});
const help = element('dl', {
  className: 'keys',
  attributes: {hidden: '', 'aria-label': 'Keys'},
  children: keyHelp.flatMap(([keys, does]) => [element('dt', {text: keys}), element('dd', {text: does})]),
});
stage.append(help);
const notes = new NotesList();
const menu = new Menu(stage, () => canvas.focus());

/** What is shown, and what was asked for last: an answer to an earlier question is not shown. */
let shown: ProfileView | null = null;
let asked: FlameQuery | null = null;
let choices: SelectionChoices = {devices: [], steps: [], processes: []};
let ranks: JobRanks | null = null;
/** What was looked at of a rank, while another one is opened in its place. */
const carried = new CarriedView<Carried>();

interface Carried {
  readonly query: FlameQuery;
  /** Names down to the block that filled the width. */
  readonly path: readonly string[];
}

const flame = new Flame(canvas, {
  zoomed(path) {
    crumbs.replaceChildren(
      ...path.map(node => {
        const name = flame.graph ? flameName(flame.graph, node) : '';
        const crumb = button(name, () => flame.zoomTo(node), 'icon');
        crumb.title = `Zoom to ${name}`;
        return crumb;
      }),
    );
  },
  focused: tell,
  menu(node, xPx, yPx) {
    if (!shown || !flame.graph || !asked) return;
    const {key} = shown;
    const query = asked;
    menu.show(blockMenu(flame, node, {host, key, query, ask, tell}), xPx, yPx);
  },
});
const search = new SearchBox(flame, () => canvas.focus());
const bar = new QueryBar(change, rank => void showRank(rank));
const exporter = iconButton('export', 'Export', () => {
  const items = pictureFormats.map(format => ({text: format, run: () => void save(format)}));
  menu.show(items, exporter.offsetLeft, 0);
});
const view = element('div', {
  className: 'view',
  children: [
    element('div', {className: 'bar', children: [title, total, spring, search.element, exporter]}),
    bar.element,
    notes.element,
    crumbs,
    stage,
    empty,
    details,
  ],
});
view.hidden = true;
document.body.append(view);

bindKeys(canvas, flame, {
  search: () => search.focus(),
  help: () => {
    help.hidden = !help.hidden;
  },
  leave() {
    const hadHelp = !help.hidden;
    help.hidden = true;
    return search.clear() || hadHelp;
  },
});

function tell(text: string): void {
  details.textContent = text;
  details.title = text;
}

/** Another picture of the same profile. */
function ask(query: FlameQuery): void {
  host.store(query);
  void show(query);
}

/** Another picture by the bar: where it is of the same shape, the block that fills the width stays. */
function change(query: FlameQuery): void {
  const path = asked?.mode === query.mode ? zoomedPath() : [];
  host.store(query);
  void show(query, path);
}

function zoomedPath(): readonly string[] {
  return flame.graph && flame.zoomedNode > 0 ? flamePath(flame.graph, flame.zoomedNode) : [];
}

/** Another rank of the job in the place of this one, which is looked at likewise. */
async function showRank(rank: number): Promise<void> {
  if (!shown || !asked) return;
  carried.begin(ranks, rank, {query: asked, path: zoomedPath()});
  const isShown = await host.ask('ranks/show', {key: shown.key, rank}).catch(() => false);
  if (isShown) return;
  carried.drop();
  showBar(asked);
}

function showBar(query: FlameQuery): void {
  bar.show(query, shown?.modules ?? 'none', choices, ranks);
}

/** @param path names down to the block that is to fill the width, as far as there are such */
async function show(query: FlameQuery, path: readonly string[] = []): Promise<void> {
  if (!shown) return;
  const profile = shown;
  asked = query;
  showBar(query);
  try {
    const graph = await host.ask('flame', {key: profile.key, query});
    if (asked !== query) return;
    showPicture(graph.total > 0);
    empty.textContent = emptyText(query);
    total.textContent = graph.total > 0 ? `100 % = ${formatWeight(graph.total, graph.weight)}` : '';
    notes.show([...profile.info.notes, ...graph.notes.map(text => ({code: 'flame', text}))]);
    flame.show(graph);
    const zoomed = nodeOfPath(graph, path);
    if (zoomed > 0) flame.zoomTo(zoomed);
    search.again();
  } catch (error) {
    if (asked !== query) return;
    showPicture(false);
    empty.textContent = error instanceof Error ? error.message : String(error);
  }
}

function showPicture(isThere: boolean): void {
  stage.hidden = crumbs.hidden = details.hidden = !isThere;
  empty.hidden = isThere;
}

function emptyText({weight, selection = {}, pass = 'all'}: FlameQuery): string {
  if (weight === 'cpu') return 'This profile has no tagged ranges (NVTX or record_function).';
  const isWhole = pass === 'all' && Object.keys(selection).length === 0;
  if (!isWhole) return 'Nothing in this selection.';
  if (weight === 'bytes') return 'This profile has no copies that tell their size.';
  if (weight === 'memory')
    return 'This profile has no allocations: they are recorded with profile_memory=True, or the setting gpuLens.run.recordMemory.';
  return 'This profile has no GPU work. Choose CPU wall time.';
}

async function save(format: (typeof pictureFormats)[number]): Promise<void> {
  const seen = flame.view();
  if (!seen || !shown) return;
  try {
    const file = await pictureFile(seen, format, shown.name);
    if (await host.ask('file/save', file)) tell(savedText(seen, format, window.devicePixelRatio));
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
}

async function open(profile: ProfileView): Promise<void> {
  shown = profile;
  title.textContent = profile.name;
  choices = selectionChoices(profile);
  ranks = null;
  const finding = findRanks(profile);
  const from = carried.isUnderWay ? carried.take(await finding) : null;
  if (shown !== profile) return;
  if (!from) return show(firstQuery(profile));
  const query = queryOfRank(from.query, profile.steps);
  await show(query, from.path);
  // This rank has no such range, or no such name.
  if (asked === query && empty.hidden === false) await show(wholeQuery(query), from.path);
}

/** Files are looked for beside the profile, which nothing waits for but the way from one rank to another. */
async function findRanks(profile: ProfileView): Promise<JobRanks | null> {
  const found = await host.ask('ranks/list', {key: profile.key}).catch(() => null);
  if (shown !== profile) return null;
  ranks = found;
  if (asked) showBar(asked);
  return found;
}

/** What was chosen before; without a choice, GPU work where there is any. */
function firstQuery({info}: ProfileView): FlameQuery {
  return storedQuery(host.restore()) ?? {weight: info.gpu.workNs > 0 ? 'gpu-work' : 'cpu'};
}

const area = new ContentArea(host, view, {
  show: profile => void open(profile),
  clear() {
    asked = shown = null;
  },
});

host.serve({
  'view/content': content => {
    area.update(content);
    return undefined;
  },
  'range/show': ({range, window}) => {
    if (shown) ask(queryOfRange(asked ?? firstQuery(shown), range, window));
    return undefined;
  },
  'flame/show': wanted => {
    if (shown) ask(queryOfSelection(asked ?? firstQuery(shown), wanted));
    return undefined;
  },
});
void host.ask('view/ready', undefined);
