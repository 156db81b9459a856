import {jobLines, kernelsTitle, rangesTitle} from '../../src/core/job/job-lines.js';
import type {JobSection} from '../../src/core/job/rank-choices.js';
import {partSpreads} from '../../src/core/job/rank-spread.js';
import type {JobView} from '../../src/core/job/job-view.js';
import type {JobContent, JobHostRequests, JobViewRequests} from '../../src/protocol/job-messages.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {storedChoices, storeChoices} from '../shared/stored-members.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {button, dropdown} from '../shared/ui.js';
import type {HeatCell} from './heat-grid.js';
import {HeatSection} from './heat-section.js';
import {partGrid, stepGrid, stepMeasures, stepMeasureTexts, trafficGrid, type StepMeasure} from './job-grids.js';
import {
  collectiveColumns,
  exchangeColumns,
  expertColumns,
  groupedColumns,
  partColumns,
  rangeColumns,
  rangeRows,
} from './job-tables.js';
import {kernelColumns, rankColumns} from './rank-tables.js';
import {TimelineSection} from './timeline-section.js';
import {counted, t} from '../shared/translate.js';

const all = 'all';
/** The page shows only this many kernels: those that differ most. */
const mostKernels = 200;

type OpenJob = Extract<JobContent, {state: 'open'}>;

/**
 * Shows many ranks as one job: which rank delays the others, and each rank compared with the others. Every row leads to
 * a rank's timeline.
 */
export class JobPage {
  readonly #title = element('span', {className: 'title'});
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #page = element('div', {className: 'page'});
  readonly #message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  readonly #view = element('div', {className: 'view', children: [this.#head(), this.#page]});
  readonly #grids: RowGridContext;
  readonly #steps: HeatSection;
  readonly #parts: HeatSection;
  readonly #traffic: HeatSection;
  readonly #timeline = new TimelineSection({
    ask: (window, pixels) => this.host.ask('job/window', {window, pixels}),
    open: (row, window) => {
      if (this.#shown) this.#showRank(this.#shown.view.report.ranks[row].rank, window, null);
    },
    theme: readTheme,
    fail: error => {
      this.#said.textContent = errorText(error);
    },
  });
  readonly #ranges = element('div');
  #shown: OpenJob | null = null;
  #measure: StepMeasure = 'own';
  /** The rank that ranges are compared for; null for all. */
  #compared: number | null = null;

  constructor(
    private readonly host: Host<JobHostRequests, JobViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#grids = {
      layouts: keptLayouts(host),
      copy: text => {
        tellCopied(host.ask('clipboard/write', {text}), t('The selection'), said => (this.#said.textContent = said));
      },
    };
    const heat = (widestPx: number, text: string, open: (cell: HeatCell) => void) =>
      new HeatSection(widestPx, text, open, readTheme, this.#grids);
    this.#steps = heat(140, t('Show in timeline'), ({row, column}) => this.#openStep(row, column));
    this.#parts = heat(140, t('Show rank'), ({row}) => this.#openRank(row));
    this.#traffic = heat(40, t('Show rank'), ({row}) => this.#openRank(row));
  }

  start(): void {
    this.#view.hidden = true;
    this.body.append(this.#view, this.#message);
    this.host.serve({
      'job/content': content => {
        this.#show(content);
        return undefined;
      },
      'job/section': ({section}) => {
        this.#goTo(section);
        return undefined;
      },
    });
    const draw = () => {
      for (const section of [this.#timeline, this.#steps, this.#parts, this.#traffic]) section.draw();
    };
    onThemeChange(draw);
    new ResizeObserver(draw).observe(this.#page);
    void this.host.ask('view/ready', undefined);
  }

  #head(): HTMLElement {
    const open = button(t('Open job…'), () => this.#do(this.host.ask('job/open', undefined)), 'icon');
    const copy = button(
      t('Copy as Markdown'),
      () => {
        tellCopied(this.host.ask('job/copy', undefined), t('The job'), said => (this.#said.textContent = said));
      },
      'icon',
    );
    return element('div', {
      className: 'bar',
      children: [this.#title, element('span', {className: 'spring'}), this.#said, open, copy],
    });
  }

  #show(content: JobContent): void {
    this.#view.hidden = content.state !== 'open';
    this.#message.hidden = content.state === 'open';
    if (content.state === 'empty') {
      this.#shown = null;
      const open = button(t('Open Job…'), () => this.#do(this.host.ask('job/open', undefined)), 'primary');
      this.#message.replaceChildren(
        element('p', {text: t('No job is open. Open the profiles of its ranks: files, a folder or a zip.')}),
        element('div', {className: 'buttons', children: [open]}),
      );
      return;
    }
    const isSame = this.#shown?.key === content.key;
    this.#shown = content;
    const {view, name, shown} = content;
    this.#title.textContent = counted(view.report.ranks.length, '{1}: {0} rank', '{1}: {0} ranks', name);
    this.#said.textContent = shown === null ? '' : t('Other views show rank {0}.', shown);
    if (!isSame) this.#fill(content);
  }

  #fill(content: OpenJob): void {
    const {view} = content;
    const {report} = view;
    this.#restore(content);
    const traffic = trafficGrid(view);
    const section = (title: string, isThere: boolean, ...children: HTMLElement[]) =>
      isThere ? [element('section', {children: [element('h2', {text: title}), ...children]})] : [];
    const target = (name: JobSection, ...parts: Parameters<typeof section>) => {
      const found = section(...parts);
      for (const {firstElementChild: title} of found) {
        title?.setAttribute('id', sectionId(name));
        title?.setAttribute('tabindex', '-1');
      }
      return found;
    };
    const measure = dropdown(
      t('Measure'),
      stepMeasures.map(value => ({value, text: stepMeasureTexts[value]})),
      this.#measure,
      value => {
        this.#measure = value;
        this.#keep();
        this.#steps.show(stepGrid(view, value));
      },
    );
    const hasParts = report.ranks.some(({parts}) => parts.length > 0);
    this.#page.replaceChildren(
      this.#verdict(view),
      ...section(t('Ranks by steps'), report.steps.length > 0, measure, this.#steps.element),
      ...target('timeline', t('Timeline of all ranks'), report.collectives.length > 0, this.#timeline.element),
      ...section(
        t('Ranks'),
        true,
        this.#table(t('Ranks'), rankColumns, report.ranks, ({rank}) => {
          this.#showRank(rank, null, null);
        }),
      ),
      ...target(
        'ranges',
        rangesTitle(report.rangesAre),
        report.ranges.length > 0,
        this.#rankChoice(view),
        this.#ranges,
      ),
      ...section(kernelsTitle(report.rangesAre), report.kernels.length > 0, ...this.#kernels(view)),
      ...target(
        'parts',
        t('Where each rank’s time goes'),
        hasParts,
        this.#parts.element,
        this.#table(t('Parts of time over the ranks'), partColumns, partSpreads(report.ranks)),
      ),
      ...section(
        t('Collectives'),
        report.collectives.length > 0,
        this.#table(t('Collectives'), collectiveColumns, report.collectives),
      ),
      ...section(t('Bytes from rank to rank'), traffic !== null, this.#traffic.element, leftOutText(view)),
      ...section(t('Experts'), report.experts.length > 0, this.#table(t('Experts'), expertColumns, report.experts)),
      ...section(
        t('Experts in grouped products'),
        report.grouped.length > 0,
        this.#table(t('Experts in grouped products'), groupedColumns, report.grouped),
      ),
      ...section(
        t('All-to-all by the layer that called it'),
        report.exchanges.length > 0,
        this.#table(t('All-to-all'), exchangeColumns, report.exchanges),
      ),
    );
    this.#steps.show(stepGrid(view, this.#measure));
    if (report.collectives.length > 0) this.#timeline.show(content);
    if (hasParts) this.#parts.show(partGrid(view));
    if (traffic) this.#traffic.show(traffic);
    this.#showRanges(view);
  }

  /** Stores what was chosen, so that the page shows it again after it was hidden. */
  #keep(): void {
    if (this.#shown)
      storeChoices(this.host, identityOf(this.#shown), {measure: this.#measure, compared: this.#compared});
  }

  #restore(job: OpenJob): void {
    const {measure, compared} = storedChoices(this.host, identityOf(job));
    this.#measure = stepMeasures.find(known => known === measure) ?? 'own';
    this.#compared = job.view.report.ranks.find(({rank}) => rank === compared)?.rank ?? null;
  }

  #goTo(section: JobSection): void {
    const title = document.getElementById(sectionId(section));
    if (title === null) {
      this.#said.textContent = missingTexts[section];
      return;
    }
    title.scrollIntoView();
    title.focus({preventScroll: true});
  }

  #verdict({report}: JobView): HTMLElement {
    const [verdict, ...others] = jobLines(report);
    const {culprit} = report;
    const at = report.ranks.findIndex(({rank}) => rank === culprit?.rank);
    const open = button(t('Show rank {0}', String(culprit?.rank)), () => this.#openRank(at), 'secondary');
    return element('section', {
      className: culprit ? 'verdict found' : 'verdict',
      children: [
        element('p', {className: 'figure', text: verdict, attributes: {'data-testid': 'verdict'}}),
        element('ul', {children: others.map(text => element('li', {text: text.trim()}))}),
        ...(culprit ? [open] : []),
      ],
    });
  }

  #rankChoice(view: JobView): HTMLElement {
    const ranks = view.report.ranks.map(({rank}) => ({value: String(rank), text: t('Rank {0}', rank)}));
    const compared = this.#compared === null ? all : String(this.#compared);
    return dropdown(t('Compare'), [{value: all, text: t('All ranks')}, ...ranks], compared, value => {
      this.#compared = value === all ? null : Number(value);
      this.#keep();
      this.#showRanges(view);
    });
  }

  #showRanges(view: JobView): void {
    const {report} = view;
    const chosen = this.#compared;
    const at = report.ranks.findIndex(({rank}) => rank === chosen);
    const rows = rangeRows(view, at < 0 ? null : at);
    const table = this.#table(t('Ranges over the ranks'), rangeColumns(chosen), rows, ({name, slowestRank}) => {
      this.#showRank(chosen ?? slowestRank, null, name);
    });
    const rest = report.ranges.length - rows.length;
    const text = counted(rest, '{0} more range differs less.', '{0} more ranges differ less.');
    this.#ranges.replaceChildren(table, ...(rest > 0 ? [element('p', {className: 'muted', text})] : []));
  }

  #kernels({report: {kernels}}: JobView): HTMLElement[] {
    const table = this.#table(t('Kernels over the ranks'), kernelColumns, kernels.slice(0, mostKernels));
    const rest = kernels.length - mostKernels;
    const text = counted(rest, '{0} more kernel differs less.', '{0} more kernels differ less.');
    return rest > 0 ? [table, element('p', {className: 'muted', text})] : [table];
  }

  #table<Row>(
    label: string,
    columns: readonly RowColumn<Row>[],
    rows: readonly Row[],
    open?: (row: Row) => void,
  ): HTMLElement {
    const grid = new RowGrid(label, columns, rows, this.#grids, open);
    grid.element.classList.add('inline');
    return grid.element;
  }

  #openStep(row: number, column: number): void {
    if (!this.#shown) return;
    const {report, stepNs, stepFromNs} = this.#shown.view;
    const cell = row * report.steps.length + column;
    const fromNs = column < 0 ? NaN : stepFromNs[cell];
    const window = Number.isNaN(fromNs) ? null : {fromNs, toNs: fromNs + stepNs[cell]};
    this.#showRank(report.ranks[row].rank, window, null);
  }

  #openRank(row: number): void {
    if (this.#shown) this.#showRank(this.#shown.view.report.ranks[row].rank, null, null);
  }

  #showRank(rank: number, window: {fromNs: number; toNs: number} | null, range: string | null): void {
    this.#do(this.host.ask('job/timeline', {rank, window, range}));
  }

  /** Shows why an action failed. */
  #do(asked: Promise<unknown>): void {
    asked.catch((error: unknown) => {
      this.#said.textContent = errorText(error);
    });
  }
}

/** Jobs of one name differ in their keys; after a reload of the window, keys repeat. */
const identityOf = ({key, name}: OpenJob): string => `${String(key)} ${name}`;

const sectionId = (section: JobSection): string => `ranks-${section}`;

const missingTexts: Readonly<Record<JobSection, string>> = {
  timeline: t('No timeline of all ranks: their profiles have no collectives.'),
  parts: t('The profiles of this job do not tell where each rank’s time goes.'),
  ranges: t('The profiles of this job have no ranges.'),
};

function leftOutText({traffic}: JobView): HTMLElement {
  const count = traffic?.leftOut ?? 0;
  const text = t('What of each rank’s data the other rank needs, whatever route it takes.');
  const missing = counted(
    count,
    ' {0} call is left out: its size, its members or its root are not recorded.',
    ' {0} calls are left out: their sizes, their members or their root are not recorded.',
  );
  return element('p', {className: 'muted', text: count > 0 ? text + missing : text});
}
