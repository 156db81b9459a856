import {stackText, type StackKind} from '../../src/core/attribution/range-stack.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {filterOfName} from '../../src/core/scope/range-filter.js';
import type {PageRow, TablePage, TableQuery} from '../../src/core/tabs/table-page.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {placedSort} from '../../src/core/tabs/table-rows.js';
import type {TableTab} from '../../src/core/tabs/tab-list.js';
import type {HostRequests, ProfileView, RowTarget, TablesViewRequests} from '../../src/protocol/view-messages.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import {addingUp} from '../shared/adding-up.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {ColumnLayouts} from '../shared/grid/column-layouts.js';
import {Grid} from '../shared/grid/grid.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {KeptFocus} from '../shared/kept-focus.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {pageRows, RowCache} from '../shared/row-cache.js';
import {say, t} from '../shared/translate.js';
import {ScopeChip} from '../shared/scope-chip.js';
import {storedChoices, storedMembers, storeChoices, storeMembers} from '../shared/stored-members.js';
import {actionButtons} from './action-buttons.js';
import {ChartPanel} from './chart-panel.js';
import {copyButtons} from './copy-buttons.js';
import {DurationsPanel} from './durations-panel.js';
import {pageTable} from './page-table.js';
import {rowActions, type RowAction} from './row-actions.js';
import {TabBar} from '../shared/tab-bar.js';
import {countsText, emptyText} from './page-text.js';
import {shownTab} from './shown-tab.js';
import {storedRows, storedView} from './stored-view.js';
import {Toolbar, wholeBar, type OfferedChoices} from './toolbar.js';

/** Shows the tables of a profile, with their filters, charts and links to each row’s place. */
export class TablesView {
  readonly #title = element('span', {className: 'title'});
  readonly #counts = element('span', {
    className: 'muted',
    attributes: {'aria-live': 'polite', 'data-testid': 'counts'},
  });
  readonly #ofRanges = element('span', {className: 'muted', attributes: {'data-testid': 'ranges'}});
  readonly #actions = element('span');
  readonly #footer = element('span', {className: 'muted'});
  readonly #durations = new DurationsPanel((slice, startNs, durationNs) => {
    const place = {slice, fromNs: startNs - durationNs, toNs: startNs + 2 * durationNs, names: []};
    void this.host.ask('timeline/show', place);
  });
  readonly #empty = element('div', {className: 'message muted', attributes: {'aria-live': 'polite'}});
  readonly #notes = new NotesList();
  #profile: ProfileView | null = null;
  #tabs: readonly TableTab[] = [];
  #tab: TableTab | null = null;
  /** The window marked in the timeline, to which rows are narrowed. */
  #scope: TimeWindow | null = null;
  #sort: readonly SortKey[] = [];
  #shown: TablePage | null = null;
  /** A range whose kernels to show once the tables are known. */
  #wantedRange: {readonly range: string; readonly kind?: StackKind} | null = null;
  /** A table to show once the tables are known. */
  #wantedTab: string | null = null;
  /** The step and the stack, which stay chosen when another rank opens in place of this one. */
  readonly #ranks: RankSelector<OfferedChoices>;
  readonly #focus = new KeptFocus();
  /** The latest request: answers to earlier ones are dropped. */
  #asked: object | null = null;
  readonly #toolbar = new Toolbar(() => void this.#refresh());
  readonly #chip = new ScopeChip(() => this.#leaveScope());
  readonly #layouts = new ColumnLayouts(() => this.#keepView());
  readonly #grid = new Grid<PageRow>(
    {
      sort: keys => {
        const columns = this.#shown?.columns ?? [];
        this.#sort = keys.map(key => ({...key, header: columns.at(key.column)?.header ?? ''}));
        void this.#refresh();
      },
      filter: () => this.#toolbar.focusFilter(),
      activate: row => this.#showActions(row),
      open: row => {
        if (this.#tab && rowActions(this.#tab.row, row.name, row.isFolded).includes('timeline'))
          this.#show(row, 'timeline');
      },
      copyCell: text => {
        tellCopied(this.host.ask('clipboard/write', {text}), t('The cell'), said => (this.#counts.textContent = said));
      },
    },
    this.#layouts,
  );
  readonly #tabBar = new TabBar(
    t('Tables'),
    () => this.#grid.element,
    id => {
      if (this.#tabs.length > 0) this.#choose(id);
    },
  );
  readonly #copyButtons = copyButtons(format => {
    const copied = this.host.ask('tables/copy', {key: this.#profile?.key ?? 0, query: this.#query(), format});
    const what = this.#tab ? say(this.#tab.title) : t('The table');
    tellCopied(copied, what, said => (this.#counts.textContent = said));
  });
  readonly #chart = new ChartPanel(() => void this.#refresh());
  readonly #view = element('div', {
    className: 'view',
    children: [
      element('div', {
        className: 'bar',
        children: [
          ...[this.#title, this.#counts, this.#ofRanges, this.#chip.element, element('span', {className: 'spring'})],
          ...[this.#chart.choice, this.#chart.switch, ...this.#copyButtons],
        ],
      }),
      this.#notes.element,
      this.#tabBar.element,
      this.#toolbar.element,
      this.#grid.element,
      this.#chart.element,
      ...[this.#empty, this.#durations.element],
      element('div', {
        className: 'bar',
        children: [this.#actions, element('span', {className: 'spring'}), this.#footer],
      }),
    ],
  });
  readonly #area: ContentArea;

  constructor(
    private readonly host: Host<HostRequests, TablesViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#ranks = new RankSelector(this.host, {
      section: 'ranges',
      looked: () => {
        const {step} = this.#toolbar.state.selection;
        return {selection: step === undefined ? {} : {step}, stack: this.#toolbar.chosenStack};
      },
      fail: text => (this.#counts.textContent = text),
    });
    this.#title.after(this.#ranks.element);
    this.#area = new ContentArea(this.host, this.#view, {
      show: opened => void this.#open(opened),
      scoped: window => {
        if (window?.fromNs === this.#scope?.fromNs && window?.toNs === this.#scope?.toNs) return;
        this.#scope = window;
        this.#chip.show(window);
        void this.#refresh();
      },
      clear: () => {
        this.#asked = null;
        this.#profile = null;
        this.#tabs = [];
        this.#ranks.closed();
      },
    });
  }

  start(): void {
    this.#view.hidden = true;
    document.addEventListener('keydown', event => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === 'Escape' && !event.defaultPrevented && !isTyping) this.#leaveScope();
    });
    this.body.append(this.#view);
    this.host.serve({
      'view/content': content => {
        this.#area.update(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
      'tables/choose': ({tab: wanted}) => {
        if (this.#tabs.length > 0) this.#choose(wanted);
        else this.#wantedTab = wanted;
        return undefined;
      },
      'range/show': ({range, kind}) => {
        if (this.#tabs.length > 0) this.#showRange(range, kind);
        else this.#wantedRange = {range, ...(kind && {kind})};
        return undefined;
      },
    });
    void this.host.ask('view/ready', undefined);
  }

  #query(): TableQuery {
    this.#toolbar.showStack(this.#tab?.isOfRanges === true);
    const {selection, stack, text, isRegex} = this.#toolbar.state;
    return {
      tab: this.#tab?.id ?? '',
      selection: {...selection, ...this.#scope},
      stack,
      filter: {text, isRegex, sort: this.#sort},
    };
  }

  /** Widens rows to the whole profile again, like figures everywhere. */
  #leaveScope(): void {
    if (this.#profile && this.#scope) void this.host.ask('scope/set', {key: this.#profile.key, window: null});
  }

  /** Shows a table; without keys to sort by, in the order of its report. */
  #choose(id: string, sort: readonly SortKey[] = []): void {
    this.#tab = this.#tabs.find(candidate => candidate.id === id) ?? this.#tabs[0];
    this.#tabBar.select(this.#tab.id);
    this.#sort = sort;
    void this.#refresh();
  }

  /** Stores the view, so that it is restored after hiding. */
  #keepView(): void {
    storeMembers(this.host, {columns: this.#layouts.stored});
    if (!this.#profile || !this.#tab) return;
    storeMembers(this.host, {tab: this.#tab.id, isChart: this.#chart.isShown, chartColumn: this.#chart.chosen});
    const bar = {...this.#toolbar.state, stack: this.#toolbar.chosenStack};
    storeChoices(this.host, this.#profile.identity, {bar, sort: this.#sort});
  }

  async #refresh(): Promise<void> {
    if (!this.#tab) return;
    this.#keepView();
    const question = {};
    this.#asked = question;
    const key = this.#profile?.key ?? 0;
    const wanted = this.#query();
    const ask = (from: number, to: number) =>
      this.host.ask('tables/page', {key, query: wanted, firstRow: from, count: to - from});
    const cache = new RowCache<PageRow>(
      async (from, to) => (await ask(from, to)).rows,
      () => {
        if (this.#asked === question) this.#grid.refresh();
      },
      error => {
        if (this.#asked === question) this.#showError(error);
      },
    );
    try {
      const page = await ask(0, pageRows);
      if (this.#asked !== question) return;
      cache.begin(page.rows);
      this.#toolbar.markInvalid(false);
      this.#showPage(page, cache);
      await this.#showChart(page, key, wanted, () => this.#asked === question);
      if (this.#asked === question) this.#giveFocusBack();
    } catch (error) {
      if (this.#asked === question) this.#showError(error);
    }
  }

  /** Returns the requested order, else the order of the rows. */
  #shownSort(): readonly SortKey[] {
    return this.#sort.length > 0 || !this.#shown?.order ? this.#sort : [this.#shown.order];
  }

  #showPage(page: TablePage, cache: RowCache<PageRow>): void {
    this.#shown = page;
    const headers = page.columns.map(({header}) => header);
    this.#sort = placedSort(this.#sort, headers);
    const isEmpty = page.keptCount === 0;
    this.#grid.element.hidden = isEmpty || this.#chart.isShown;
    this.#chart.element.hidden = isEmpty || !this.#chart.isShown;
    this.#empty.hidden = !isEmpty;
    this.#empty.textContent = emptyText(page, this.#tab ? say(this.#tab.about) : t('rows'));
    this.#counts.textContent = countsText(page);
    const chosen = stackText(this.#query().stack ?? {});
    this.#ofRanges.textContent = chosen === '' ? '' : t('ranges: {0}', chosen);
    this.#footer.textContent = page.footer.join(', ');
    this.#leaveRow();
    if (isEmpty || this.#chart.isShown) return;
    this.#grid.show(pageTable(page, cache, this.#shownSort(), this.#kernelColumnOf(page)));
  }

  /** Hides what belongs to a row, such as the button "Kernels of this range", which may have been used. */
  #leaveRow(): void {
    this.#focus.keep(this.#actions);
    this.#actions.replaceChildren();
    this.#durations.hide();
  }

  #giveFocusBack(): void {
    this.#focus.giveBack(this.#grid, this.#chart.element, this.#tabBar);
  }

  /** Draws the shown rows as bars, if the chart is shown. */
  async #showChart(page: TablePage, key: number, of: TableQuery, isCurrent: () => boolean): Promise<void> {
    const column = this.#chart.columnOf(page.columns, this.#sort);
    if (!this.#chart.isShown || page.keptCount === 0 || column < 0) {
      this.#chart.hide();
      if (!this.#chart.isShown || page.keptCount === 0) return;
      this.#chart.element.hidden = true;
      this.#empty.hidden = false;
      this.#empty.textContent = t('No column of this table has numbers.');
      return;
    }
    const drawn = await this.host.ask('tables/chart', {key, query: of, column});
    if (isCurrent()) this.#chart.show(page, drawn);
  }

  /** Shows a message in place of the rows and all that belongs to them. */
  #tell(...message: (string | Node)[]): void {
    this.#grid.element.hidden = this.#chart.element.hidden = true;
    this.#empty.hidden = false;
    this.#empty.replaceChildren(...message);
    this.#counts.textContent = this.#ofRanges.textContent = this.#footer.textContent = '';
    this.#leaveRow();
  }

  #showError(error: unknown): void {
    this.#tell(errorText(error));
    this.#toolbar.markInvalid(this.#toolbar.state.isRegex);
    this.#giveFocusBack();
  }

  /** Shows buttons for the actions on the active row. */
  #showActions(row: PageRow | null): void {
    const name = row?.name ?? '';
    const made = row && this.#tab ? rowActions(this.#tab.row, name, row.isFolded) : [];
    const run = (action: RowAction) => {
      if (action === 'kernels') this.#showKernels(filterOfName(name));
      else if (action === 'unfold') this.#unfold(name);
      else if (action === 'durations') this.#showDurations(name);
      else if (row) this.#show(row, action);
    };
    this.#actions.replaceChildren(...actionButtons(made, run));
  }

  #showDurations(name: string): void {
    if (!this.#profile || !this.#tab) return;
    const {selection, stack = {}} = this.#query();
    const row = {kind: this.#tab.row, name, selection, stack};
    void this.#durations.show(
      this.#shown && this.#kernelColumnOf(this.#shown) >= 0 ? shortKernelName(name) : name,
      this.host.ask('tables/durations', {key: this.#profile.key, row}),
    );
  }

  /**
   * Shows the names behind a row's separately. In PyTorch's operator table only steps are folded, and steps have a
   * table of their own.
   */
  #unfold(name: string): void {
    if (this.#tab?.row === 'operator') this.#choose('steps');
    else this.#toolbar.unfold(name);
  }

  /** @param range as Nsight names ranges */
  #showKernels(range: string): void {
    this.#toolbar.setRange(range);
    this.#toolbar.clearFilter();
    this.#choose('kernels');
  }

  /** Shows a range from another view. @param kind of a range that the user did not name */
  #showRange(range: string, kind: StackKind | undefined): void {
    this.#toolbar.chooseRanges(kind);
    this.#showKernels(range);
  }

  /** Returns the column of kernel names; -1 if the rows are not kernels. */
  #kernelColumnOf({nameColumn}: TablePage): number {
    return this.#tab?.row === 'kernel' ? nameColumn : -1;
  }

  #show(row: PageRow, target: RowTarget): void {
    if (!this.#profile || !this.#tab) return;
    const {selection, stack = {}} = this.#query();
    const step = this.#tab.row === 'step' ? row.step : null;
    const shownRow = {
      kind: this.#tab.row,
      name: row.name,
      stack,
      selection: step === null ? selection : {...selection, step},
    };
    this.host.ask('tables/show', {key: this.#profile.key, row: shownRow, in: target}).catch((error: unknown) => {
      this.#counts.textContent = errorText(error);
    });
  }

  /** The tabs and the filters belong to a profile. */
  #showBars(isThere: boolean): void {
    this.#tabBar.element.hidden = this.#toolbar.element.hidden = !isThere;
  }

  /** Begins with a profile, whose tables are not yet known. */
  #begin(opened: ProfileView): void {
    this.#focus.keep(this.#view, this.#ranks.element);
    this.#profile = opened;
    // Until the tables of this profile are known, requests for one wait, and nothing is stored as its choices.
    this.#tabs = [];
    this.#tab = this.#asked = this.#shown = null;
    this.#ranks.opened(opened.key);
    this.#title.textContent = opened.name;
    this.#notes.show(opened.info.notes);
    this.#showBars(false);
    this.#chart.hide();
    this.#tell(...addingUp(opened.name));
  }

  async #open(opened: ProfileView): Promise<void> {
    this.#begin(opened);
    // Going back to a profile asks for its tables again: the earlier answer no longer counts.
    const isShown = () => this.#profile === opened;
    try {
      const list = await this.host.ask('tables/list', {key: opened.key});
      const stored = storedView(storedMembers(this.host));
      const kept = storedRows(storedChoices(this.host, opened.identity));
      const stayed = await this.#ranks.taken();
      if (!isShown()) return;
      this.#tabs = list.tabs;
      this.#showBars(true);
      this.#tabBar.show(this.#tabs.map(shownTab));
      // What another view asks for is not narrowed by what was chosen here before.
      const isWanted = this.#wantedTab !== null || this.#wantedRange !== null;
      const bar = kept.bar && isWanted ? wholeBar(kept.bar.stack) : kept.bar;
      this.#toolbar.open(list.choices, this.#tabs[0].row === 'plain', stayed, bar);
      this.#layouts.restore(stored.columns);
      this.#chart.restore(stored.isChart, stored.chartColumn);
      if (!this.#showWanted()) this.#choose(stored.tab ?? list.first, kept.sort);
    } catch (error) {
      if (isShown()) this.#showError(error);
    }
  }

  /** Shows what another view asked for while the tables were not known; returns whether there was something. */
  #showWanted(): boolean {
    const [range, tab] = [this.#wantedRange, this.#wantedTab];
    this.#wantedRange = this.#wantedTab = null;
    if (range) this.#showRange(range.range, range.kind);
    else if (tab !== null) this.#choose(tab);
    return range !== null || tab !== null;
  }
}
