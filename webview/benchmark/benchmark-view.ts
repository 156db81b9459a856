import {layoutText, type LayoutFormat} from '../../src/core/benchmark/layout-table.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';
import type {
  BenchmarkContent,
  BenchmarkHostRequests,
  BenchmarkViewRequests,
} from '../../src/protocol/benchmark-messages.js';
import {tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import type {RowGridContext} from '../shared/grid/row-grid.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {storedMembers, storeMembers} from '../shared/stored-members.js';
import {TabBar} from '../shared/tab-bar.js';
import {button} from '../shared/ui.js';
import {Choice} from './choice.js';
import {curveAxes, curveFacets, type CurveAxis} from './curve-series.js';
import {Curves} from './curves.js';
import {Details} from './details.js';
import {LayoutGrid} from './layout-grid.js';
import {layoutsOf, type Layout} from './layouts.js';
import {measurementName, stripsOf, type Strip} from './measurement-text.js';
import {ProgressLine} from './progress-line.js';
import {t} from '../shared/translate.js';

const axisNames: Readonly<Record<CurveAxis, string>> = {
  contextLength: t('context length'),
  batch: t('batch'),
  size: t('size'),
};

/** Shows sweeps, and benchmarks from texts: their tables, curves and steps. */
export class BenchmarkView {
  #content: BenchmarkContent | null = null;
  #set = 0;
  #layouts: readonly Layout[] = [];
  #layout: string;
  /** The user's choices; null for the first possible one. */
  #axis: CurveAxis | null = null;
  #selected: number | null = null;
  readonly #sources = new Choice(t('Benchmark'), key => {
    this.#set = 0;
    this.#selected = null;
    void this.host.ask('benchmark/show', {key});
  });
  readonly #sets = new Choice(t('Table of the text'), key => {
    this.#set = Number(key);
    this.#selected = null;
    this.#draw();
  });
  readonly #axes = new Choice(t('Curves over'), key => {
    this.#axis = key as CurveAxis;
    this.#drawCurves();
  });
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'said'}});
  readonly #goOn = button(
    t('Go on'),
    () => this.#content?.key && void this.host.ask('benchmark/go-on', {key: this.#content.key}),
    'secondary',
  );
  readonly #progress = new ProgressLine(() => void this.host.ask('benchmark/cancel', undefined));
  readonly #tabs = new TabBar(
    t('Layouts'),
    () => this.#grid.element,
    id => {
      this.#layout = id;
      storeMembers(this.host, {layout: this.#layout});
      this.#drawTable();
    },
  );
  readonly #grid: LayoutGrid;
  readonly #curves = new Curves(id => this.#select(id));
  readonly #details: Details;
  readonly #note = element('p', {className: 'muted note'});
  readonly #charts = element('section', {
    attributes: {'aria-label': t('Curves')},
    children: [element('div', {className: 'bar', children: [this.#axes.element]}), this.#curves.element],
  });
  readonly #empty: HTMLDivElement;
  readonly #view: HTMLDivElement;

  constructor(
    private readonly host: Host<BenchmarkHostRequests, BenchmarkViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#layout = this.#restored();
    const grids: RowGridContext = {
      layouts: keptLayouts(host),
      copy: text => tellCopied(host.ask('clipboard/write', {text}), t('The selection'), said => this.#tell(said)),
    };
    this.#grid = new LayoutGrid(grids, id => this.#select(id));
    this.#details = new Details(grids, {
      profile: id => this.#content?.key && void host.ask('benchmark/profile', {key: this.#content.key, id}),
      precision: id => host.ask('benchmark/precision', {key: this.#content?.key ?? '', id}),
      environment: id => host.ask('benchmark/environment', {key: this.#content?.key ?? '', id}),
    });
    this.#empty = element('div', {
      className: 'message',
      children: [
        element('p', {text: t('No benchmark has been run in this workspace.')}),
        element('p', {
          className: 'muted',
          text: t(
            'Measure a reference Transformer, a function of yours, or any command over several of its arguments. Tables in texts that are opened as profiles are shown here, too.',
          ),
        }),
        element('div', {className: 'buttons', children: [this.#runButton('primary')]}),
      ],
    });
    this.#view = element('div', {
      className: 'view',
      children: [
        element('div', {
          className: 'bar',
          children: [
            this.#sources.element,
            this.#sets.element,
            this.#said,
            element('span', {className: 'spring'}),
            this.#goOn,
            this.#runButton('secondary'),
            this.#copyButton(t('Copy as Markdown'), 'markdown'),
            this.#copyButton(t('Copy as CSV'), 'csv'),
          ],
        }),
        this.#progress.element,
        this.#tabs.element,
        element('div', {
          className: 'scroll',
          children: [this.#note, this.#grid.element, this.#details.element, this.#charts],
        }),
      ],
    });
  }

  start(): void {
    this.#view.hidden = true;
    this.body.append(this.#view, this.#empty);
    this.host.serve({
      'benchmark/content': next => {
        this.#show(next);
        return undefined;
      },
      'benchmark/progress': now => {
        this.#progress.show(now);
        return undefined;
      },
    });
    void this.host.ask('view/ready', undefined);
  }

  #runButton(appearance: 'primary' | 'secondary'): HTMLElement {
    return button(t('Run benchmark…'), () => void this.host.ask('benchmark/run', undefined), appearance);
  }

  #copyButton(label: string, format: LayoutFormat): HTMLElement {
    return button(
      label,
      () => {
        if (!this.#shownLayout()) return;
        const table = this.#grid.shownTable;
        const copied = this.host.ask('clipboard/write', {text: layoutText(table, format)});
        tellCopied(copied, table.title, text => this.#tell(text));
      },
      'icon',
    );
  }

  #tell(text: string): void {
    this.#said.textContent = text;
  }

  #restored(): string {
    const kept = storedMembers(this.host)['layout'];
    return typeof kept === 'string' ? kept : 'times';
  }

  #measurements(): readonly Measurement[] {
    return this.#content?.sets.at(this.#set)?.measurements ?? [];
  }

  #shownLayout(): Layout | undefined {
    return this.#layouts.find(({id}) => id === this.#layout) ?? this.#layouts.at(0);
  }

  #show(next: BenchmarkContent): void {
    if (this.#content?.key !== next.key) {
      this.#set = 0;
      this.#selected = null;
      this.#said.textContent = '';
    }
    this.#content = next;
    const isEmpty = next.key === null;
    this.#view.hidden = isEmpty;
    this.#empty.hidden = !isEmpty;
    this.#goOn.hidden = !next.canGoOn;
    this.#sources.show(
      next.sources.map(({key, title}) => ({value: key, text: title})),
      next.key ?? '',
    );
    this.#progress.show(next.progress);
    this.#draw();
  }

  #draw(): void {
    const all = this.#content?.sets ?? [];
    this.#set = Math.min(this.#set, Math.max(0, all.length - 1));
    this.#sets.show(
      all.map(({title}, at) => ({value: String(at), text: title})),
      String(this.#set),
    );
    this.#sets.element.hidden = all.length < 2;
    const shown = all.at(this.#set);
    this.#note.textContent =
      shown?.note ?? (this.#measurements().length === 0 ? t('No point has been measured yet.') : '');
    this.#note.hidden = this.#note.textContent === '';
    this.#layouts = this.#measurements().length > 0 ? layoutsOf(this.#measurements()) : [];
    this.#tabs.show(this.#layouts);
    this.#drawTable();
    this.#drawDetails();
    this.#drawCurves();
  }

  #drawTable(): void {
    const shown = this.#shownLayout();
    this.#grid.element.hidden = !shown;
    if (!shown) return;
    this.#tabs.select(shown.id);
    this.#grid.show(shown.table, this.#selected);
  }

  #select(id: number): void {
    this.#selected = id;
    this.#grid.mark(id);
    this.#drawDetails();
  }

  #drawDetails(): void {
    const measurement = this.#measurements().find(({id}) => id === this.#selected) ?? null;
    const isOfSweep = this.#content?.kind === 'sweep';
    const hasProfile = this.#selected !== null && this.#content?.profiled.includes(this.#selected) === true;
    this.#details.show(measurement, isOfSweep, hasProfile, this.#strips(measurement));
  }

  /**
   * Returns the steps of the selection; for samples from a text all of them, so that with and without warm-up are side
   * by side.
   */
  #strips(measurement: Measurement | null): Strip[] {
    const sampled = this.#content?.kind === 'text' ? this.#measurements().filter(({stepNs}) => stepNs.length > 0) : [];
    if (sampled.length > 0) {
      const inPairs = sampled.toSorted((a, b) => a.pass.localeCompare(b.pass));
      return inPairs.map(one => ({title: `${measurementName(one)}:`, warmupNs: one.warmupNs, stepNs: one.stepNs}));
    }
    return measurement ? stripsOf(measurement) : [];
  }

  #drawCurves(): void {
    const possible = curveAxes(this.#measurements());
    this.#charts.hidden = possible.length === 0;
    const over = possible.find(one => one === this.#axis) ?? possible.at(0);
    if (over === undefined) {
      this.#curves.show([], '');
      return;
    }
    this.#axes.show(
      possible.map(value => ({value, text: t('Curves over {0}', axisNames[value])})),
      over,
    );
    this.#curves.show(curveFacets(this.#measurements(), over), axisNames[over]);
  }
}
