import {rooflineGroupings, type RooflineGrouping} from '../../src/core/roofline/roofline-points.js';
import {modelPreset, modelPresets} from '../../src/core/estimate/model-presets.js';
import {systemPreset, systemPresets} from '../../src/core/estimate/system-presets.js';
import {formatPercent} from '../../src/core/format/duration.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {RooflineAnswer} from '../../src/core/questions/roofline.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {HostRequests, ProfileView, RooflineViewRequests} from '../../src/protocol/view-messages.js';
import {addingUp} from '../shared/adding-up.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {KeptFocus} from '../shared/kept-focus.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {replaceControls} from '../shared/replace-controls.js';
import {TabBar} from '../shared/tab-bar.js';
import {selectionChoices, selectionControls} from '../shared/selection-controls.js';
import {onThemeChange} from '../shared/theme.js';
import {t} from '../shared/translate.js';
import {button, iconButton} from '../shared/ui.js';
import {layerColumns, markColumns, stepColumns} from './columns.js';
import {Select, type Choice} from './controls.js';
import {EstimatePanel} from './estimate-panel.js';
import {storedState, type EstimateState} from './estimate-state.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {storedSelection} from '../shared/stored-selection.js';
import {storedChoices, storedMembers, storeChoices, storeMembers} from '../shared/stored-members.js';
import {markLines, RooflineChart} from './roofline-chart.js';

type TabId = (typeof tabs)[number]['id'];

const tabs = [
  {id: 'roofline', title: t('Roofline'), about: t('Operations a second by operations a byte, under the GPU’s roofs')},
  {id: 'layers', title: t('Layers'), about: t('Layers of a model, predicted and measured')},
  {id: 'steps', title: t('Steps'), about: t('Model FLOPs utilisation of each step')},
  {id: 'estimate', title: t('Estimate'), about: t('What a Transformer costs, without a profile')},
] as const;

const groupingTexts: Readonly<Record<RooflineGrouping, string>> = {
  shape: t('operators by shape'),
  operator: t('operators'),
  range: t('ranges'),
  module: t('modules'),
  class: t('kernel classes'),
};

const pointHint = t('Point at a mark or press an arrow key for its figures · Enter opens its source line');

/** Shows operators against a GPU’s roofs, layers and steps of a profile, and the estimate, which needs no profile. */
export class RooflineView {
  readonly #kept: Readonly<Record<string, unknown>>;
  #profile: ProfileView | null = null;
  #answer: RooflineAnswer | null = null;
  #tab: TabId = 'roofline';
  /** The part of the profile to which all figures apply. */
  #selection: Selection = {};
  /** The latest request: answers to earlier ones are dropped. */
  #asked: object | null = null;
  readonly #by = new Select(
    t('Points'),
    [...rooflineGroupings].map(value => ({value, text: groupingTexts[value]})),
    () => void this.#refresh(),
  );
  readonly #system = new Select(t('Roofs'), systemChoices(t('the profile’s GPU')), () => void this.#refresh());
  readonly #model = new Select(t('Model'), modelChoices(new Set()), () => void this.#refresh());
  readonly #part = element('span', {
    className: 'part',
    attributes: {role: 'group', 'aria-label': t('Part of the profile')},
  });
  readonly #told = element('span', {
    className: 'muted',
    attributes: {'data-testid': 'coverage', 'aria-live': 'polite'},
  });
  readonly #details = element('div', {
    className: 'details',
    text: pointHint,
    attributes: {'aria-live': 'polite', 'data-testid': 'selection'},
  });
  readonly #chart = new RooflineChart({
    focused: mark => {
      this.#details.textContent = mark ? [mark.name, ...markLines(mark)].join(' · ') : pointHint;
    },
    open: mark => void this.#openSource(mark),
  });
  readonly #notes = new NotesList();
  readonly #table = element('div', {className: 'tables'});
  readonly #grids: RowGridContext;
  #shownTable: Shown | null = null;
  readonly #message = element('div', {className: 'message muted', attributes: {'aria-live': 'polite'}});
  readonly #view = element('div', {
    className: 'view',
    children: [
      element('div', {
        className: 'bar',
        children: [this.#by.element, this.#model.element, this.#system.element, this.#part, this.#told],
      }),
      this.#notes.element,
      this.#chart.element,
      this.#message,
      this.#table,
      this.#details,
    ],
  });
  readonly #panel: EstimatePanel;
  /** Another rank opens at the same step. */
  readonly #ranks: RankSelector<number>;
  readonly #focus = new KeptFocus();
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #tabBar = new TabBar(
    t('Roofline and estimate'),
    id => (id === 'estimate' ? this.#panel.element : this.#view),
    id => {
      const chosen = tabs.find(candidate => candidate.id === id);
      if (chosen) this.#choose(chosen.id);
    },
  );
  readonly #exports = [
    iconButton(
      'file-media',
      t('Save as SVG'),
      () => void this.#savePicture().catch((error: unknown) => this.#tellInHead(errorText(error))),
    ),
    button(t('Copy as Markdown'), () => this.#copy('markdown'), 'icon'),
    button(t('Copy as CSV'), () => this.#copy('csv'), 'icon'),
  ];
  readonly #area: ContentArea;

  constructor(
    private readonly host: Host<HostRequests, RooflineViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#kept = storedMembers(host);
    this.#grids = {
      layouts: keptLayouts(host),
      copy: text => {
        tellCopied(host.ask('clipboard/write', {text}), t('The selection'), said => this.#tellInHead(said));
      },
    };
    const store = (state: EstimateState) => {
      storeMembers(host, {estimate: state});
    };
    this.#panel = new EstimatePanel(storedState(this.#kept['estimate']), store, this.#grids);
    this.#ranks = new RankSelector(this.host, {
      section: {why: t('a roofline is of one GPU')},
      looked: () => this.#selection.step ?? null,
      fail: text => this.#tellInHead(text),
    });
    this.#by.element.before(this.#ranks.element);
    this.#area = new ContentArea(this.host, this.#view, {
      show: opened => {
        const isNew = this.#profile?.key !== opened.key;
        this.#profile = opened;
        this.#notes.show(opened.info.notes);
        if (isNew) void this.#open(opened);
      },
      clear: () => {
        this.#profile = this.#answer = this.#asked = null;
        this.#panel.calibrate(null);
        this.#ranks.closed();
      },
    });
  }

  start(): void {
    this.#by.value = 'shape';
    this.#tabBar.show(tabs);
    this.#view.hidden = true;
    this.body.append(
      element('div', {
        className: 'head',
        children: [this.#tabBar.element, element('span', {className: 'spring'}), this.#said, ...this.#exports],
      }),
      this.#panel.element,
      this.#view,
    );
    onThemeChange(() => {
      this.#chart.draw();
      this.#panel.update();
    });
    this.host.serve({
      'view/content': content => {
        this.#area.update(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
    });
    this.#choose(tabs.find(({id}) => id === this.#kept['tab'])?.id ?? 'roofline');
    void this.host.ask('view/ready', undefined);
  }

  #choose(chosen: TabId): void {
    this.#tab = chosen;
    this.#said.textContent = '';
    this.#tabBar.select(chosen);
    storeMembers(this.host, {tab: chosen});
    // The estimate needs no profile: it replaces any message about one.
    this.body.classList.toggle('estimating', chosen === 'estimate');
    if (chosen === 'estimate') this.#panel.update();
    else this.#showAnswer();
  }

  async #refresh(): Promise<void> {
    const shown = this.#profile;
    if (!shown) return;
    const question = {};
    this.#asked = question;
    const chosen = {by: this.#by.value, system: this.#system.value, model: this.#model.value};
    storeChoices(this.host, shown.identity, {...chosen, selection: this.#selection});
    try {
      const query = {
        by: rooflineGroupings.find(grouping => grouping === chosen.by) ?? 'shape',
        system: chosen.system === '' ? null : chosen.system,
        model: modelPreset(chosen.model)?.shape ?? null,
        selection: this.#selection,
      };
      const given = await this.host.ask('roofline', {key: shown.key, query});
      if (this.#asked !== question) return;
      this.#answer = given;
      this.#offerChoices(given);
      this.#panel.calibrate(hasMeasured(given) ? given.calibration : null);
      this.#showAnswer();
    } catch (error) {
      if (this.#asked !== question) return;
      this.#answer = null;
      this.#tell(errorText(error));
    }
  }

  async #open(opened: ProfileView): Promise<void> {
    this.#focus.keep(this.#view, this.#ranks.element);
    this.#forget();
    this.#tell(...addingUp(opened.name));
    this.#ranks.opened(opened.key);
    // What is chosen while the rank is read is not yet of this profile.
    const {by, system, model, selection} = storedChoices(this.host, opened.identity);
    const step = await this.#ranks.taken();
    if (this.#profile !== opened) return;
    if (step === null) {
      this.#by.restore(by);
      this.#system.restore(system);
      this.#model.restore(model);
      this.#select(storedSelection(selection));
    } else this.#select(opened.steps.some(({number}) => number === step) ? {step} : {});
  }

  /** Forgets the answer for the profile before, and what it said of its GPU and its models. */
  #forget(): void {
    this.#answer = this.#asked = null;
    this.#told.textContent = '';
    this.#system.offer(systemChoices(t('the profile’s GPU')));
    this.#model.offer(modelChoices(new Set()));
    this.#panel.calibrate(null);
  }

  /** Shows another part of the same profile. */
  #select(chosen: Selection): void {
    this.#selection = chosen;
    this.#showSelection();
    void this.#refresh();
  }

  #showSelection(): void {
    if (this.#profile)
      replaceControls(
        this.#part,
        selectionControls(this.#selection, selectionChoices(this.#profile), chosen => this.#select(chosen)),
      );
  }

  #offerChoices({deviceName, systemId, isAssumed, matchingModels}: RooflineAnswer): void {
    const own = this.#system.value === '' ? systemId : null;
    const ofProfile = own === null ? t('the profile’s GPU') : isAssumed ? t('{0}, 40 GB assumed', own) : own;
    this.#system.offer(
      systemChoices(deviceName === null ? t('GPU not named: choose') : `${ofProfile} (${deviceName})`),
    );
    this.#model.offer(modelChoices(new Set(matchingModels)));
  }

  #showAnswer(): void {
    if (!this.#answer || this.#tab === 'estimate') return;
    this.#by.element.hidden = this.#tab !== 'roofline';
    this.#model.element.hidden = this.#tab === 'steps';
    this.#chart.element.hidden = this.#tab !== 'roofline' || this.#answer.marks.length === 0;
    this.#details.hidden = this.#chart.element.hidden;
    this.#told.textContent = this.#coverage(this.#answer);
    const rows = this.#gridOf(this.#answer);
    this.#shownTable = rows;
    this.#table.replaceChildren(rows.element);
    this.#table.hidden = rows.count === 0;
    this.#message.hidden = rows.count > 0;
    this.#message.textContent = rows.count > 0 ? '' : this.#emptyText(this.#answer);
    if (this.#tab === 'roofline')
      this.#chart.show(this.#answer.marks, systemPreset(this.#answer.systemId ?? '')?.system ?? null);
    this.#focus.giveBack(this.#chart, rows, this.#tabBar);
  }

  /** Returns the table of the tab. */
  #gridOf({marks, comparisons, steps}: RooflineAnswer): Shown {
    switch (this.#tab) {
      case 'layers':
        return this.#grid(t('Layers'), layerColumns, comparisons);
      case 'steps':
        return this.#grid(t('Steps'), stepColumns, steps);
      default:
        return this.#grid(t('Points'), markColumns, marks, mark => void this.#openSource(mark));
    }
  }

  #grid<Row>(
    label: string,
    columns: readonly RowColumn<Row>[],
    rows: readonly Row[],
    open?: (row: Row) => void,
  ): Shown {
    const grid = new RowGrid(label, columns, rows, this.#grids, open);
    return {element: grid.element, count: rows.length, focus: () => grid.focus(), text: format => grid.text(format)};
  }

  #coverage({knownGpuWorkNs, allGpuWorkNs, systemId}: RooflineAnswer): string {
    const known = t('{0} of GPU work has shapes that tell its cost', formatPercent(knownGpuWorkNs, allGpuWorkNs));
    const formula = t('MFU = Σ (FLOP of products ÷ peak of their precision) ÷ (duration × GPUs)');
    const roofs = systemId === null ? t(' · no roofs: choose a system') : '';
    return this.#tab === 'steps' ? `${formula} · ${known}${roofs}` : `${known}${roofs}`;
  }

  #emptyText({hasShapes, steps}: RooflineAnswer): string {
    if (this.#tab === 'layers' && this.#model.value === '')
      return t('Choose a model: its layers are found by their shapes.');
    if (hasShapes && Object.keys(this.#selection).length > 0)
      return t('Nothing in this selection has shapes that tell its cost.');
    if (!hasShapes)
      return t(
        'This profile has no shapes of operators. Record one with shapes (record_shapes=True), or name ranges like the model’s layers, choose a model, and show ranges.',
      );
    if (this.#tab === 'layers') return t('No operator of this profile has the shapes of this model’s layers.');
    if (this.#tab === 'steps' && steps.length === 0) return t('This profile has no steps with products.');
    return t('No operator with GPU work has shapes that tell its cost.');
  }

  /** Shows a message in place of the chart and the table, which can no longer be saved or copied. */
  #tell(...message: (string | Node)[]): void {
    this.#chart.element.hidden = this.#table.hidden = this.#details.hidden = true;
    this.#chart.show([], null);
    this.#shownTable = null;
    this.#message.hidden = false;
    this.#message.replaceChildren(...message);
  }

  /**
   * Opens the line that opened the range, or the Python frame, around the work; if neither is known, shows the work in
   * the timeline.
   */
  async #openSource({place, slice, name}: RooflineMark): Promise<void> {
    if (!this.#profile) return;
    const {key} = this.#profile;
    const isOpened = place !== null && (await this.host.ask('source/reveal', {key, name: place}));
    if (isOpened || slice < 0) return;
    const found = await this.host.ask('slice/details', {key, slice});
    if (!found) return;
    const {startNs, durationNs} = found;
    await this.host.ask('timeline/show', {slice, fromNs: startNs, toNs: startNs + durationNs, names: [name]});
  }

  async #savePicture(): Promise<void> {
    const content = this.#tab === 'estimate' ? this.#panel.picture() : this.#chart.picture();
    if (content !== null)
      await this.host.ask('file/save', {name: `${this.#tab === 'estimate' ? 'estimate' : 'roofline'}.svg`, content});
  }

  #copy(format: 'csv' | 'markdown'): void {
    const text = this.#tab === 'estimate' ? this.#panel.text(format) : (this.#shownTable?.text(format) ?? null);
    if (text !== null)
      tellCopied(this.host.ask('clipboard/write', {text}), t('The table'), text => this.#tellInHead(text));
  }

  #tellInHead(text: string): void {
    this.#said.textContent = text;
  }
}

/** A table in the page, and the same table as text. */
interface Shown {
  readonly element: HTMLElement;
  readonly count: number;
  readonly focus: () => void;
  readonly text: (format: 'csv' | 'markdown') => string;
}

function hasMeasured({calibration: {matrixFlopsPerSecond, hbmBytesPerSecond, measured}}: RooflineAnswer): boolean {
  return Object.keys(matrixFlopsPerSecond).length > 0 || hbmBytesPerSecond !== null || measured.length > 0;
}

/** @param own the text for the roofs of the profile's GPU */
function systemChoices(own: string): Choice[] {
  return [{value: '', text: own}, ...systemPresets.map(({id}) => ({value: id, text: id}))];
}

/** @param matches the models whose shapes the profile has: they come first */
function modelChoices(matches: ReadonlySet<string>): Choice[] {
  const order = [...modelPresets].sort((a, b) => Number(matches.has(b.id)) - Number(matches.has(a.id)));
  const named = order.map(({id}) => ({value: id, text: matches.has(id) ? t('{0} (its shapes are here)', id) : id}));
  return [{value: '', text: t('no model')}, ...named];
}
