import './tables.css';
import {stackText, type StackKind} from '../../src/core/attribution/range-stack.js';
import {formatCount, plural} from '../../src/core/format/count.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {filterOfName} from '../../src/core/scope/range-filter.js';
import type {ReportFormat} from '../../src/core/reports/report-text.js';
import type {PageRow, TablePage, TableQuery} from '../../src/core/tabs/table-page.js';
import {placedSort, type SortKey} from '../../src/core/tabs/table-rows.js';
import type {TableTab} from '../../src/core/tabs/tab-list.js';
import type {
  HostRequests,
  JobRanks,
  ProfileView,
  RowTarget,
  TablesViewRequests,
} from '../../src/protocol/view-messages.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import {CarriedView} from '../shared/carried-view.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {button} from '../shared/ui.js';
import {ScopeChip} from '../shared/scope-chip.js';
import {ChartPanel} from './chart-panel.js';
import {DurationsPanel} from './durations-panel.js';
import {Grid} from './grid.js';
import {rowActions, type RowAction} from './row-actions.js';
import {nextSort} from './sorting.js';
import {pageRows, RowCache} from '../shared/row-cache.js';
import {TabBar} from '../shared/tab-bar.js';
import {storedView} from './stored-view.js';
import {Toolbar, type ChosenView} from './toolbar.js';

const copyFormats: readonly (readonly [text: string, format: ReportFormat])[] = [
  ['Copy as Markdown', 'markdown'],
  ['Copy as CSV', 'csv'],
  ['Copy as text', 'table'],
];

const actionTexts: Readonly<Record<RowAction, string>> = {
  kernels: 'Kernels of this range',
  durations: 'Durations',
  timeline: 'Timeline',
  flame: 'Flame graph',
  source: 'Source',
  unfold: 'Unfold',
};

const host = connectHost<HostRequests, TablesViewRequests>();
const title = element('span', {className: 'title'});
const counts = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'counts'}});
const ofRanges = element('span', {className: 'muted', attributes: {'data-testid': 'ranges'}});
const actions = element('span');
const footer = element('span', {className: 'muted'});
const durations = new DurationsPanel((slice, startNs, durationNs) => {
  const place = {slice, fromNs: startNs - durationNs, toNs: startNs + 2 * durationNs, names: []};
  void host.ask('timeline/show', place);
});
const empty = element('div', {className: 'message muted', attributes: {'aria-live': 'polite'}});
const notes = new NotesList();

let profile: ProfileView | null = null;
let tabs: readonly TableTab[] = [];
let tab: TableTab | null = null;
/** What is marked in the timeline: rows are of it. */
let scope: TimeWindow | null = null;
let sort: readonly SortKey[] = [];
let shown: TablePage | null = null;
/** A range whose kernels are to be shown once the tables are known. */
let wantedRange: {readonly range: string; readonly kind?: StackKind} | null = null;
/** A table that is to be shown once the tables are known. */
let wantedTab: string | null = null;
/** The ranks of the profile's job, and what stays chosen while another rank is opened in its place. */
let ranks: JobRanks | null = null;
const carried = new CarriedView<ChosenView>();
/** What was asked for last: an answer to an earlier question is not shown. */
let asked: object | null = null;

const toolbar = new Toolbar(
  () => void refresh(),
  rank => void showRank(rank),
);
const chip = new ScopeChip(leaveScope);
const grid = new Grid({
  sort(column, isAdded) {
    const columns = shown?.columns ?? [];
    const next = nextSort(shownSort(), column, columns.at(column)?.isText ?? false, isAdded);
    sort = next.map(key => ({...key, header: columns.at(key.column)?.header ?? ''}));
    void refresh();
  },
  activate: showActions,
  open: row => {
    if (tab && rowActions(tab.row, row.name, row.isFolded).includes('timeline')) show(row, 'timeline');
  },
});
const tabBar = new TabBar(
  'Tables',
  () => grid.element,
  id => {
    choose(id);
  },
);
const copyButtons = copyFormats.map(([text, format]) =>
  button(
    text,
    () => {
      const copied = host.ask('tables/copy', {key: profile?.key ?? 0, query: query(), format});
      tellCopied(copied, tab?.title ?? 'The table', said => (counts.textContent = said));
    },
    'icon',
  ),
);
const chart = new ChartPanel(() => void refresh());
const view = element('div', {
  className: 'view',
  children: [
    element('div', {
      className: 'bar',
      children: [
        ...[title, counts, ofRanges, chip.element, element('span', {className: 'spring'})],
        ...[chart.choice, chart.switch, ...copyButtons],
      ],
    }),
    notes.element,
    tabBar.element,
    toolbar.element,
    grid.element,
    chart.element,
    ...[empty, durations.element],
    element('div', {className: 'bar', children: [actions, element('span', {className: 'spring'}), footer]}),
  ],
});
view.hidden = true;
document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === 'Escape' && !event.defaultPrevented && !isTyping) leaveScope();
});
document.body.append(view);

function query(): TableQuery {
  toolbar.showStack(tab?.isOfRanges === true);
  const {selection, stack, text, isRegex} = toolbar.state;
  return {tab: tab?.id ?? '', selection: {...selection, ...scope}, stack, filter: {text, isRegex, sort}};
}

/** Rows are of the whole profile again, as are figures everywhere. */
function leaveScope(): void {
  if (profile && scope) void host.ask('scope/set', {key: profile.key, window: null});
}

/** Shows a table in the order of its report. */
function choose(id: string): void {
  tab = tabs.find(candidate => candidate.id === id) ?? tabs[0];
  tabBar.select(tab.id);
  sort = [];
  void refresh();
}

/** What is looked at is looked at again where the view was hidden. */
function keepView(): void {
  host.store({
    tab: tab?.id,
    ...{isChart: chart.isShown, chartColumn: chart.chosen},
    ...{identity: profile?.identity, stack: toolbar.chosenStack},
  });
}

async function refresh(): Promise<void> {
  if (!tab) return;
  keepView();
  const question = {};
  asked = question;
  const key = profile?.key ?? 0;
  const wanted = query();
  const ask = (from: number, to: number) =>
    host.ask('tables/page', {key, query: wanted, firstRow: from, count: to - from});
  const cache = new RowCache<PageRow>(
    async (from, to) => (await ask(from, to)).rows,
    () => {
      if (asked === question) grid.refresh();
    },
    error => {
      if (asked === question) showError(error);
    },
  );
  try {
    const page = await ask(0, pageRows);
    if (asked !== question) return;
    cache.begin(page.rows);
    toolbar.markInvalid(false);
    showPage(page, cache);
    await showChart(page, key, wanted, () => asked === question);
  } catch (error) {
    if (asked === question) showError(error);
  }
}

/** The order that was asked for, else the one in which the rows stand. */
function shownSort(): readonly SortKey[] {
  return sort.length > 0 || !shown?.order ? sort : [shown.order];
}

function showPage(page: TablePage, cache: RowCache<PageRow>): void {
  shown = page;
  const headers = page.columns.map(({header}) => header);
  sort = placedSort(sort, headers);
  const isEmpty = page.keptCount === 0;
  grid.element.hidden = isEmpty || chart.isShown;
  chart.element.hidden = isEmpty || !chart.isShown;
  empty.hidden = !isEmpty;
  empty.textContent =
    page.rowCount > 0
      ? 'No row has a name like that.'
      : `This profile, or what is chosen of it, has no ${tab?.about ?? 'rows'}.`;
  counts.textContent =
    page.keptCount === page.rowCount
      ? plural(page.rowCount, 'row')
      : `${formatCount(page.keptCount)} of ${plural(page.rowCount, 'row')}`;
  const chosen = stackText(query().stack ?? {});
  ofRanges.textContent = chosen === '' ? '' : `ranges: ${chosen}`;
  footer.textContent = page.footer.join(', ');
  actions.replaceChildren();
  durations.hide();
  if (!isEmpty && !chart.isShown) grid.show(page, cache, shownSort(), kernelColumnOf(page));
}

/** Draws the rows that are shown as bars, where that is what is looked at. */
async function showChart(page: TablePage, key: number, of: TableQuery, isCurrent: () => boolean): Promise<void> {
  const column = chart.columnOf(page.columns, sort);
  if (!chart.isShown || page.keptCount === 0 || column < 0) {
    chart.hide();
    if (!chart.isShown || page.keptCount === 0) return;
    chart.element.hidden = true;
    empty.hidden = false;
    empty.textContent = 'No column of this table has numbers.';
    return;
  }
  const drawn = await host.ask('tables/chart', {key, query: of, column});
  if (isCurrent()) chart.show(page, drawn);
}

function showError(error: unknown): void {
  grid.element.hidden = chart.element.hidden = true;
  empty.hidden = false;
  empty.textContent = errorText(error);
  counts.textContent = '';
  actions.replaceChildren();
  durations.hide();
  toolbar.markInvalid(toolbar.state.isRegex);
}

/** Buttons for what can be done with the active row. */
function showActions(row: PageRow | null): void {
  const name = row?.name ?? '';
  const made = row && tab ? rowActions(tab.row, name, row.isFolded) : [];
  const run = (action: RowAction) => {
    if (action === 'kernels') showKernels(filterOfName(name));
    else if (action === 'unfold') unfold(name);
    else if (action === 'durations') showDurations(name);
    else if (row) show(row, action);
  };
  actions.replaceChildren(
    ...made.map(action =>
      button(
        actionTexts[action],
        () => {
          run(action);
        },
        'icon',
      ),
    ),
  );
}

function showDurations(name: string): void {
  if (!profile || !tab) return;
  const {selection, stack = {}} = query();
  const row = {kind: tab.row, name, selection, stack};
  void durations.show(
    shown && kernelColumnOf(shown) >= 0 ? shortKernelName(name) : name,
    host.ask('tables/durations', {key: profile.key, row}),
  );
}

/** Shows the names behind a row's apart: of PyTorch's operators steps alone are one, and they have a table. */
function unfold(name: string): void {
  if (tab?.row === 'operator') choose('steps');
  else toolbar.unfold(name);
}

/** @param range as Nsight names ranges */
function showKernels(range: string): void {
  toolbar.setRange(range);
  toolbar.clearFilter();
  choose('kernels');
}

/** The same of a range that stands elsewhere. @param kind what it is where no person named it */
function showRange(range: string, kind: StackKind | undefined): void {
  toolbar.chooseRanges(kind);
  showKernels(range);
}

/** -1 where rows are no kernels. */
function kernelColumnOf({nameColumn}: TablePage): number {
  return tab?.row === 'kernel' ? nameColumn : -1;
}

function show(row: PageRow, target: RowTarget): void {
  if (!profile || !tab) return;
  const {selection, stack = {}} = query();
  const step = tab.row === 'step' ? row.step : null;
  const shownRow = {
    kind: tab.row,
    name: row.name,
    stack,
    selection: step === null ? selection : {...selection, step},
  };
  host.ask('tables/show', {key: profile.key, row: shownRow, in: target}).catch((error: unknown) => {
    counts.textContent = errorText(error);
  });
}

/** Another rank of the job in the place of this one: the table, its filter and the step stay. */
async function showRank(rank: number): Promise<void> {
  const {selection} = toolbar.state;
  carried.begin(ranks, rank, {step: selection.step ?? null, stack: toolbar.chosenStack});
  const isShown = await host.ask('ranks/show', {key: profile?.key ?? 0, rank}).catch(() => false);
  if (isShown) return;
  carried.drop();
  toolbar.offerRanks(ranks);
}

/** Files are looked for beside the profile, which nothing waits for but the way from one rank to another. */
async function findRanks(opened: ProfileView): Promise<JobRanks | null> {
  ranks = null;
  toolbar.offerRanks(null);
  const found = await host.ask('ranks/list', {key: opened.key}).catch(() => null);
  if (profile !== opened) return null;
  ranks = found;
  toolbar.offerRanks(ranks);
  return found;
}

async function open(opened: ProfileView): Promise<void> {
  profile = opened;
  tab = null;
  asked = null;
  const finding = findRanks(opened);
  title.textContent = opened.name;
  notes.show(opened.info.notes);
  try {
    const list = await host.ask('tables/list', {key: opened.key});
    const stored = storedView(host.restore(), opened.identity);
    const stayed = carried.isUnderWay ? carried.take(await finding) : null;
    if (profile.key !== opened.key) return;
    tabs = list.tabs;
    tabBar.show(tabs);
    toolbar.offer(list.choices, tabs[0].row === 'plain', stayed ?? {step: null, stack: stored.stack});
    chart.restore(stored.isChart, stored.chartColumn);
    if (wantedRange !== null) {
      showRange(wantedRange.range, wantedRange.kind);
      wantedRange = null;
      return;
    }
    choose(wantedTab ?? stored.tab ?? list.first);
    wantedTab = null;
  } catch (error) {
    showError(error);
  }
}

const area = new ContentArea(host, view, {
  show: opened => void open(opened),
  scoped(window) {
    if (window?.fromNs === scope?.fromNs && window?.toNs === scope?.toNs) return;
    scope = window;
    chip.show(window);
    void refresh();
  },
  clear() {
    asked = null;
    profile = null;
    tabs = [];
  },
});

host.serve({
  'view/content': content => {
    area.update(content);
    return undefined;
  },
  'tables/choose': ({tab: wanted}) => {
    if (tabs.length > 0) choose(wanted);
    else wantedTab = wanted;
    return undefined;
  },
  'range/show': ({range, kind}) => {
    if (tabs.length > 0) showRange(range, kind);
    else wantedRange = {range, ...(kind && {kind})};
    return undefined;
  },
});
void host.ask('view/ready', undefined);
