import './benchmark.css';
import {layoutText, type LayoutFormat} from '../../src/core/benchmark/layout-table.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';
import type {
  BenchmarkContent,
  BenchmarkHostRequests,
  BenchmarkViewRequests,
} from '../../src/protocol/benchmark-messages.js';
import {tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
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

const host = connectHost<BenchmarkHostRequests, BenchmarkViewRequests>();
let content: BenchmarkContent | null = null;
let set = 0;
let layouts: readonly Layout[] = [];
let layout = restored();
/** What the user has chosen; null for the first that is possible. */
let axis: CurveAxis | null = null;
let selected: number | null = null;

const sources = new Choice('Benchmark', key => {
  set = 0;
  selected = null;
  void host.ask('benchmark/show', {key});
});
const sets = new Choice('Table of the text', key => {
  set = Number(key);
  selected = null;
  draw();
});
const axes = new Choice('Curves over', key => {
  axis = key as CurveAxis;
  drawCurves();
});
const said = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'said'}});
const goOn = button('Go on', () => content?.key && void host.ask('benchmark/go-on', {key: content.key}), 'secondary');
const progress = new ProgressLine(() => void host.ask('benchmark/cancel', undefined));
const tabs = new TabBar(
  'Layouts',
  () => grid.element,
  id => {
    layout = id;
    host.store({layout});
    drawTable();
  },
);
const grid = new LayoutGrid(select);
const curves = new Curves(select);
const details = new Details({
  profile: id => content?.key && void host.ask('benchmark/profile', {key: content.key, id}),
  precision: id => host.ask('benchmark/precision', {key: content?.key ?? '', id}),
  environment: id => host.ask('benchmark/environment', {key: content?.key ?? '', id}),
});
const note = element('p', {className: 'muted note'});
const charts = element('section', {
  attributes: {'aria-label': 'Curves'},
  children: [element('div', {className: 'bar', children: [axes.element]}), curves.element],
});
const empty = element('div', {
  className: 'message',
  children: [
    element('p', {text: 'No benchmark has been run in this workspace.'}),
    element('p', {
      className: 'muted',
      text: 'Measure a reference Transformer, a function of yours, or any command over several of its arguments. Tables in texts that are opened as profiles are shown here, too.',
    }),
    element('div', {className: 'buttons', children: [runButton('primary')]}),
  ],
});
const body = element('div', {className: 'scroll', children: [note, grid.element, details.element, charts]});
const view = element('div', {
  className: 'view',
  children: [
    element('div', {
      className: 'bar',
      children: [
        sources.element,
        sets.element,
        said,
        element('span', {className: 'spring'}),
        goOn,
        runButton('secondary'),
        copyButton('Copy as Markdown', 'markdown'),
        copyButton('Copy as CSV', 'csv'),
      ],
    }),
    progress.element,
    tabs.element,
    body,
  ],
});
view.hidden = true;
document.body.append(view, empty);

function runButton(appearance: 'primary' | 'secondary'): HTMLElement {
  return button('Run benchmark…', () => void host.ask('benchmark/run', undefined), appearance);
}

function copyButton(label: string, format: LayoutFormat): HTMLElement {
  return button(
    label,
    () => {
      const table = shownLayout()?.table;
      if (!table) return;
      const copied = host.ask('clipboard/write', {text: layoutText(table, format)});
      tellCopied(copied, table.title, text => (said.textContent = text));
    },
    'icon',
  );
}

function restored(): string {
  const state = host.restore();
  const kept = typeof state === 'object' && state !== null ? (state as {layout?: unknown}).layout : null;
  return typeof kept === 'string' ? kept : 'times';
}

function measurements(): readonly Measurement[] {
  return content?.sets.at(set)?.measurements ?? [];
}

function shownLayout(): Layout | undefined {
  return layouts.find(({id}) => id === layout) ?? layouts.at(0);
}

function show(next: BenchmarkContent): void {
  if (content?.key !== next.key) {
    set = 0;
    selected = null;
    said.textContent = '';
  }
  content = next;
  const isEmpty = next.key === null;
  view.hidden = isEmpty;
  empty.hidden = !isEmpty;
  goOn.hidden = !next.canGoOn;
  sources.show(
    next.sources.map(({key, title}) => ({value: key, text: title})),
    next.key ?? '',
  );
  progress.show(next.progress);
  draw();
}

function draw(): void {
  const all = content?.sets ?? [];
  set = Math.min(set, Math.max(0, all.length - 1));
  sets.show(
    all.map(({title}, at) => ({value: String(at), text: title})),
    String(set),
  );
  sets.element.hidden = all.length < 2;
  const shown = all.at(set);
  note.textContent = shown?.note ?? (measurements().length === 0 ? 'No point has been measured yet.' : '');
  note.hidden = note.textContent === '';
  layouts = measurements().length > 0 ? layoutsOf(measurements()) : [];
  tabs.show(layouts);
  drawTable();
  drawDetails();
  drawCurves();
}

function drawTable(): void {
  const shown = shownLayout();
  grid.element.hidden = !shown;
  if (!shown) return;
  tabs.select(shown.id);
  grid.show(shown.table, selected);
}

function select(id: number): void {
  selected = id;
  grid.mark(id);
  drawDetails();
}

function drawDetails(): void {
  const measurement = measurements().find(({id}) => id === selected) ?? null;
  const isOfSweep = content?.kind === 'sweep';
  const hasProfile = selected !== null && content?.profiled.includes(selected) === true;
  details.show(measurement, isOfSweep, hasProfile, strips(measurement));
}

/** The steps of what is selected; of the samples of a text all, so that with and without warm-up stand side by side. */
function strips(measurement: Measurement | null): Strip[] {
  const sampled = content?.kind === 'text' ? measurements().filter(({stepNs}) => stepNs.length > 0) : [];
  if (sampled.length > 0) {
    const inPairs = sampled.toSorted((a, b) => a.pass.localeCompare(b.pass));
    return inPairs.map(one => ({title: `${measurementName(one)}:`, warmupNs: one.warmupNs, stepNs: one.stepNs}));
  }
  return measurement ? stripsOf(measurement) : [];
}

function drawCurves(): void {
  const possible = curveAxes(measurements());
  charts.hidden = possible.length === 0;
  const over = possible.find(one => one === axis) ?? possible.at(0);
  if (over === undefined) {
    curves.show([], '');
    return;
  }
  axes.show(
    possible.map(value => ({value, text: `Curves over ${axisNames[value]}`})),
    over,
  );
  curves.show(curveFacets(measurements(), over), axisNames[over]);
}

const axisNames: Readonly<Record<CurveAxis, string>> = {contextLength: 'context length', batch: 'batch', size: 'size'};

host.serve({
  'benchmark/content': next => {
    show(next);
    return undefined;
  },
  'benchmark/progress': now => {
    progress.show(now);
    return undefined;
  },
});
void host.ask('view/ready', undefined);
