import {findingFrame, type ProfileFindings} from '../../src/core/findings/findings-page.js';
import type {Finding} from '../../src/core/findings/rules/finding.js';
import {noSuchFile} from '../../src/core/source/no-line.js';
import {summaryPage} from '../../src/core/summary/summary-page.js';
import {splitNotes, splitTitle, summaryFacts, summaryHeadline, partRows} from '../../src/core/summary/summary-text.js';
import type {StepColumn} from '../../src/core/summary/step-columns.js';
import type {TopList, TopRow} from '../../src/core/summary/summary-tops.js';
import type {TimePart} from '../../src/core/summary/time-parts.js';
import type {TimeSummary} from '../../src/core/summary/time-summary.js';
import type {
  HostRequests,
  ProfileView,
  RowTarget,
  SummaryViewRequests,
  ViewCommand,
} from '../../src/protocol/view-messages.js';
import {addingUp} from '../shared/adding-up.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {RowGridContext} from '../shared/grid/row-grid.js';
import type {Host} from '../shared/host.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {storedChoices, storeChoices} from '../shared/stored-members.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {t} from '../shared/translate.js';
import {button} from '../shared/ui.js';
import {summaryPng} from './draw-summary.js';
import {FindingList} from './finding-list.js';
import {partTable} from './part-table.js';
import {PathSection} from './path-section.js';
import {SplitBar} from './split-bar.js';
import {StepChart} from './step-chart.js';
import {stepTable} from './step-table.js';
import {tabOfPart} from './tab-of-part.js';
import {TopLists} from './top-lists.js';

/** The first page about a profile: what it is, how long a step takes, where its time goes, and the findings. */
export class SummaryView {
  readonly #title = element('span', {className: 'title'});
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #facts = element('p', {className: 'facts', attributes: {'data-testid': 'facts'}});
  readonly #headline = element('dl', {className: 'headline', attributes: {'data-testid': 'headline'}});
  readonly #notes = new NotesList();
  readonly #bar = new SplitBar();
  readonly #splitTitle = element('h2', {attributes: {'aria-live': 'polite'}});
  readonly #split = element('div', {className: 'split'});
  readonly #splitNotes = element('div', {className: 'muted'});
  readonly #chart = new StepChart({
    chosen: column => {
      this.#choose(column);
    },
    open: column => {
      this.#showColumn(column);
    },
  });
  readonly #steps = element('section', {className: 'steps'});
  readonly #tops = new TopLists(
    {
      show: (list, row, target) => {
        this.#showRow(list, row, target);
      },
      openTable: tab => {
        this.#openTable(tab);
      },
    },
    selection => this.host.ask('summary/tops', {key: this.#profile?.key ?? -1, selection}),
    part => {
      this.#keep({part});
    },
  );
  readonly #findings = new FindingList({
    timeline: startNs => {
      this.#showMoment(startNs);
    },
    source: finding => {
      this.#do(this.#showSource(finding));
    },
    all: () => {
      this.#run('show-findings');
    },
  });
  readonly #path = new PathSection();
  readonly #waiting = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  readonly #page = element('div', {
    className: 'page',
    children: [
      ...[this.#facts, this.#headline],
      element('section', {children: [this.#splitTitle, this.#bar.element, this.#splitNotes]}),
      ...[
        this.#findings.element,
        element('section', {children: [element('h2', {text: t('In numbers')}), this.#split]}),
      ],
      ...[this.#steps, this.#path.element, this.#tops.element],
    ],
  });
  readonly #view = element('div', {
    className: 'view',
    children: [this.#head(), this.#notes.element, this.#page, this.#waiting],
  });
  #profile: ProfileView | null = null;
  #summary: TimeSummary | null = null;
  #known: ProfileFindings | null = null;
  #findCount = 0;
  #column: StepColumn | null = null;

  readonly #ranks: RankSelector<null>;
  readonly #grids: RowGridContext;

  constructor(
    private readonly host: Host<HostRequests, SummaryViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#ranks = new RankSelector(this.host, {
      section: 'parts',
      looked: () => null,
      fail: text => (this.#said.textContent = text),
    });
    this.#title.after(this.#ranks.element);
    const tell = (text: string) => (this.#said.textContent = text);
    this.#grids = {
      layouts: keptLayouts(host),
      copy: text => tellCopied(host.ask('clipboard/write', {text}), t('The selection'), tell),
    };
  }

  start(): void {
    this.#view.hidden = true;
    this.body.append(this.#view);
    const area = new ContentArea(this.host, this.#view, {
      show: profile => {
        void this.#open(profile);
      },
      clear: () => {
        this.#profile = this.#summary = this.#known = null;
        this.#ranks.closed();
      },
    });
    this.host.serve({
      'view/content': content => {
        area.update(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
      'findings/changed': () => {
        // While it adds up, it has not asked for them yet.
        if (this.#profile && !this.#page.hidden) void this.#find(this.#profile.key);
        return undefined;
      },
    });
    onThemeChange(() => {
      this.#draw();
    });
    new ResizeObserver(() => {
      this.#drawCharts();
    }).observe(this.#page);
    void this.host.ask('view/ready', undefined);
  }

  #head(): HTMLElement {
    const open = (text: string, command: ViewCommand) =>
      button(
        text,
        () => {
          this.#run(command);
        },
        'icon',
      );
    return element('div', {
      className: 'bar',
      children: [
        ...[this.#title, element('span', {className: 'spring'}), this.#said],
        ...[open(t('Timeline'), 'show-timeline'), open(t('Flame graph'), 'show-flame')],
        button(
          t('Copy as Markdown'),
          () => {
            this.#copy();
          },
          'icon',
        ),
        button(
          t('Copy as PNG'),
          () => {
            this.#copyPicture();
          },
          'icon',
        ),
      ],
    });
  }

  async #open(profile: ProfileView): Promise<void> {
    this.#profile = profile;
    this.#summary = this.#known = this.#column = null;
    this.#title.textContent = profile.name;
    this.#said.textContent = '';
    this.#path.hide();
    this.#ranks.opened(profile.key);
    this.#notes.show(profile.info.notes);
    this.#tell(...addingUp(profile.name));
    const isShown = () => this.#profile?.key === profile.key;
    try {
      const summary = await this.host.ask('summary', {key: profile.key});
      if (!isShown()) return;
      this.#summary = summary;
    } catch (error) {
      if (isShown()) this.#tell(element('p', {text: errorText(error)}));
      return;
    }
    if (this.#summary.parts.length === 0) {
      this.#tell(element('p', {text: t('There is nothing to sum up: this profile has no events with a duration.')}));
      return;
    }
    this.#show();
    await this.#find(profile.key);
    await this.#findPath(profile.key, isShown);
  }

  async #findPath(key: number, isShown: () => boolean): Promise<void> {
    try {
      const path = await this.host.ask('summary/path', {key});
      if (isShown() && path) this.#path.show(path);
    } catch (error) {
      if (isShown()) this.#path.fail(errorText(error));
    }
  }

  /** Asks for the findings, and shows the last answer that was asked for. Known ones are shown until it arrives. */
  async #find(key: number): Promise<void> {
    const count = ++this.#findCount;
    const isLast = () => this.#profile?.key === key && this.#findCount === count;
    if (!this.#known) this.#findings.wait();
    try {
      const found = await this.host.ask('summary/findings', {key});
      if (!isLast()) return;
      this.#known = found;
      this.#findings.show(found);
    } catch (error) {
      if (!isLast()) return;
      // The earlier ones are outdated.
      this.#known = null;
      this.#findings.fail(errorText(error));
    }
  }

  #tell(...children: HTMLElement[]): void {
    this.#page.hidden = true;
    this.#waiting.hidden = false;
    this.#waiting.replaceChildren(...children);
  }

  #show(): void {
    if (!this.#summary || !this.#profile) return;
    this.#waiting.hidden = true;
    this.#page.hidden = false;
    this.#facts.textContent = summaryFacts(this.#summary, this.#profile.info).join(' · ');
    this.#headline.replaceChildren(
      ...summaryHeadline(this.#summary).map(({figure, label, detail}) =>
        element('div', {
          children: [
            element('dt', {text: label}),
            element('dd', {className: 'figure', text: figure}),
            element('dd', {className: 'muted', text: detail}),
          ],
        }),
      ),
    );
    const {part, column, isTable} = storedChoices(this.host, this.#profile.identity);
    this.#column = this.#summary.columns.find((_, at) => at === column) ?? null;
    this.#tops.show(this.#summary.tops, this.#summary.programParts, part);
    this.#showSteps(this.#summary, isTable === true);
    this.#draw();
  }

  /** Stores what was chosen, so that the page of the same profile shows it again after it was hidden. */
  #keep(change: {readonly part?: string | null; readonly column?: number; readonly isTable?: boolean}): void {
    if (!this.#profile) return;
    const {identity} = this.#profile;
    storeChoices(this.host, identity, {...storedChoices(this.host, identity), ...change});
  }

  #showSteps(summary: TimeSummary, isTable: boolean): void {
    this.#steps.hidden = summary.columns.length < 2;
    const table = element('details', {
      children: [element('summary', {text: t('The steps as a table')}), stepTable(summary, this.#grids)],
    });
    table.open = isTable;
    table.addEventListener('toggle', () => {
      this.#keep({isTable: table.open});
    });
    this.#steps.replaceChildren(element('h2', {text: t('Step by step')}), this.#chart.element, table);
    this.#chart.show(summary, readTheme(), this.#column);
  }

  #choose(column: StepColumn | null): void {
    this.#column = column;
    this.#keep({column: this.#summary && column ? this.#summary.columns.indexOf(column) : -1});
    this.#draw();
  }

  #draw(): void {
    if (!this.#summary) return;
    const theme = readTheme();
    const title = splitTitle(this.#summary, this.#column);
    this.#splitTitle.textContent = title;
    const rows = partRows(this.#summary, this.#column);
    const actions = {
      timeline: (part: TimePart) => this.#longestOf(part),
      table: (part: TimePart) => this.#tableOf(part),
    };
    this.#split.replaceChildren(partTable(rows, title, theme, actions));
    this.#splitNotes.replaceChildren(...splitNotes(this.#summary).map(text => element('p', {text})));
    this.#drawCharts();
  }

  #drawCharts(): void {
    if (!this.#summary || this.#page.hidden) return;
    const theme = readTheme();
    this.#bar.draw(partRows(this.#summary, this.#column), splitTitle(this.#summary, this.#column), theme);
    this.#chart.draw(theme);
  }

  #longestOf(part: TimePart): (() => void) | null {
    const longest = this.#summary?.parts.find(one => one.part === part)?.longest;
    if (!longest) return null;
    const {slice, fromNs, toNs} = longest;
    const marginNs = (toNs - fromNs) / 4;
    return () => {
      this.#showInTimeline({slice, fromNs: fromNs - marginNs, toNs: toNs + marginNs});
    };
  }

  #tableOf(part: TimePart): (() => void) | null {
    const tab = tabOfPart(part);
    if (tab === null) return null;
    return () => {
      this.#openTable(tab);
    };
  }

  #showColumn({slice, fromNs, toNs}: StepColumn): void {
    const marginNs = (toNs - fromNs) / 20;
    this.#showInTimeline({slice, fromNs: fromNs - marginNs, toNs: toNs + marginNs});
  }

  /** A finding has a moment and no slice, so the timeline shows its surroundings. */
  #showMoment(startNs: number): void {
    const stepNs = this.#summary?.steps?.medianNs ?? (this.#summary?.totalNs ?? 0) / 20;
    const slice = this.#summary?.columns.find(({fromNs, toNs}) => fromNs <= startNs && startNs < toNs)?.slice ?? -1;
    this.#showInTimeline({slice, fromNs: startNs - stepNs / 4, toNs: startNs + stepNs / 2});
  }

  async #showSource(finding: Finding): Promise<void> {
    const name = findingFrame(finding);
    if (!this.#profile || name === null) return;
    const isFound = await this.host.ask('source/reveal', {key: this.#profile.key, name});
    if (!isFound) this.#said.textContent = noSuchFile(finding.file ?? name);
  }

  #showInTimeline(place: {readonly slice: number; readonly fromNs: number; readonly toNs: number}): void {
    this.#do(this.host.ask('timeline/show', {...place, names: []}));
  }

  #showRow(list: TopList, row: TopRow, target: RowTarget): void {
    if (!this.#profile) return;
    const {key} = this.#profile;
    if (list.row === 'plain') {
      if (row.frame !== null) this.#do(this.host.ask('source/reveal', {key, name: row.frame}));
      return;
    }
    const shown = {kind: list.row, name: row.name, selection: {}, stack: {}};
    this.#do(this.host.ask('tables/show', {key, row: shown, in: target}));
  }

  #openTable(tab: string): void {
    if (this.#profile) this.#do(this.host.ask('tables/open', {key: this.#profile.key, tab}));
  }

  #run(command: ViewCommand): void {
    this.#do(this.host.ask('view/command', {command}));
  }

  /** Shows why an action failed. */
  #do(asked: Promise<unknown>): void {
    this.#said.textContent = '';
    asked.catch((error: unknown) => {
      this.#said.textContent = errorText(error);
    });
  }

  #copy(): void {
    if (!this.#summary || !this.#profile) return;
    const {name, info} = this.#profile;
    const text = summaryPage(name, info, this.#summary, this.#known?.findings ?? null);
    tellCopied(this.host.ask('clipboard/write', {text}), t('The summary'), said => (this.#said.textContent = said));
  }

  #copyPicture(): void {
    if (!this.#summary || !this.#profile) return;
    const {name, info} = this.#profile;
    const {parts, columns} = this.#summary;
    const picture = {
      ...{name, facts: summaryFacts(this.#summary, info).join(' · '), headline: summaryHeadline(this.#summary)},
      ...{title: splitTitle(this.#summary, this.#column), rows: partRows(this.#summary, this.#column)},
      ...{parts: parts.map(({part}) => part), columns},
    };
    // The clipboard takes the promise, because it must be called during the click.
    const png = summaryPng(picture, readTheme(), window.devicePixelRatio);
    const copied = navigator.clipboard.write([new ClipboardItem({'image/png': png})]);
    tellCopied(copied, t('The picture'), said => (this.#said.textContent = said));
  }
}
