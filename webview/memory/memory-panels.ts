import {formatCount} from '../../src/core/format/count.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {KeptMemory} from '../../src/core/memory-snapshot/kept-rows.js';
import type {CodePlace} from '../../src/core/memory-snapshot/live-rows.js';
import type {DifferenceRow} from '../../src/core/memory-snapshot/row-difference.js';
import type {DeviceQuery, MemoryMoment} from '../../src/protocol/memory-messages.js';
import {bindKeys} from '../flame/keys.js';
import {Flame} from '../flame/flame.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {keyboardChart} from '../shared/keyboard-chart.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {TabBar} from '../shared/tab-bar.js';
import {counted, t} from '../shared/translate.js';
import {button} from '../shared/ui.js';
import {momentText} from './memory-chart.js';
import {blockColumns, differenceColumns, keptColumns, rowColumns, segmentColumns} from './memory-columns.js';
import {MemoryEstimate} from './memory-estimate.js';
import type {MemoryHost} from './memory-host.js';

const tabs = [
  {id: 'lines', title: t('By line'), about: t('Live memory at the moment by line of your own code')},
  {id: 'blocks', title: t('Blocks'), about: t('The largest live blocks at the moment')},
  {id: 'flame', title: t('Flame graph'), about: t('Live memory at the moment by stack')},
  {id: 'change', title: t('Change'), about: t('From the marked moment to this one, or from this snapshot to another')},
  {id: 'kept', title: t('Kept'), about: t('What was allocated in the history and is never freed in it, by line')},
  {id: 'estimate', title: t('Estimate'), about: t('What a model takes by formula, beside what is live at the moment')},
  {id: 'segments', title: t('Segments'), about: t('Memory that the allocator holds at the end')},
] as const;
type TabId = (typeof tabs)[number]['id'];

/** The moments and the part that the panels show. */
export interface Shown extends DeviceQuery {
  readonly moment: number;
  /** The base of comparisons; null for none. */
  readonly base: number | null;
  readonly shown: MemoryMoment;
}

export interface MemoryPanelHandlers {
  tell(text: string): void;
  /** A question about the version `stamp` has failed. */
  failed(error: unknown, stamp: string): void;
  /** Another tab was chosen. */
  chosen(): void;
}

/** Another snapshot, and the rows by line of both peaks. `of` is what was compared with it. */
interface Comparison {
  readonly of: DeviceQuery;
  readonly path: string;
  readonly name: string;
  readonly rows: readonly DifferenceRow[];
}

/** A table and its description. */
interface Panel {
  readonly about: string;
  readonly table: HTMLElement;
  /** The table as CSV for the clipboard; null for the flame graph. */
  readonly csv: (() => string) | null;
  /** Draws what takes its size from the page, once the table is in the page. */
  readonly draw?: () => void;
}

/** The part below the chart: tables and the flame graph of a moment, and tables of the whole snapshot. */
export class MemoryPanels {
  readonly element = element('section', {className: 'panels'});
  readonly #about = element('span', {className: 'muted', attributes: {'data-testid': 'about'}});
  readonly #content = element('div', {className: 'panel', attributes: {role: 'tabpanel', tabindex: '-1'}});
  readonly #flameCanvas = element('canvas', {
    attributes: keyboardChart(
      t('Flame graph of live memory. Arrow keys move, Enter zooms, Escape goes back. By line has a table.'),
    ),
  });
  readonly #flameStage = element('div', {className: 'stage', children: [this.#flameCanvas]});
  readonly #bar = new TabBar(
    t('What to show of the memory'),
    () => this.#content,
    id => {
      this.#choose(id as TabId);
      void this.#draw();
    },
  );
  readonly #grids: RowGridContext;
  #flame: Flame | null = null;
  #estimate: MemoryEstimate | null = null;
  #tab: TabId = 'lines';
  #shown: Shown | null = null;
  /** The moment to which others were last compared. */
  #base: number | null = null;
  #csv: (() => string) | null = null;
  /** The comparison with another snapshot that the user chose last. */
  #other: Comparison | null = null;

  constructor(
    private readonly host: MemoryHost,
    private readonly handlers: MemoryPanelHandlers,
  ) {
    const tell = (text: string) => {
      handlers.tell(text);
    };
    this.#grids = {
      layouts: keptLayouts(host),
      copy: text => {
        tellCopied(host.ask('memory/copy', {text}), t('The selection'), tell);
      },
    };
    const copy = button(
      t('Copy as CSV'),
      () => {
        if (this.#csv) tellCopied(host.ask('memory/copy', {text: this.#csv()}), t('The table'), tell);
      },
      'icon',
    );
    const head = element('div', {
      className: 'bar about',
      children: [this.#about, element('span', {className: 'spring'}), copy],
    });
    this.element.append(this.#bar.element, head, this.#content);
    this.#bar.show(tabs);
    this.#bar.select(this.#tab);
  }

  get tab(): string {
    return this.#tab;
  }

  /** Restores the tab, and the moment that is the base of comparisons; null for none. */
  restore(tab: unknown, base: number | null): void {
    const found = tabs.find(({id}) => id === tab)?.id ?? 'lines';
    // Another snapshot that this one was compared with is not stored.
    this.#tab = found === 'change' && base === null ? 'lines' : found;
    this.#base = base;
  }

  show(shown: Shown): void {
    const isCompared = shown.base !== null && shown.base !== this.#base;
    this.#shown = shown;
    this.#base = shown.base;
    if (isCompared) {
      this.#other = null;
      this.#choose('change');
    }
    void this.#draw();
  }

  /** Shows nothing until the next moment is shown. */
  clear(): void {
    this.#shown = null;
    this.#empty();
  }

  #choose(tab: TabId): void {
    this.#tab = tab;
    this.handlers.chosen();
  }

  /** Reads another snapshot, and shows what changed from this one's peak to that one's. */
  async compareWith(of: DeviceQuery): Promise<void> {
    try {
      const other = await this.#compare(of, null);
      if (!other) return;
      this.#other = other;
      this.#choose('change');
      await this.#draw();
    } catch (error) {
      this.handlers.failed(error, of.stamp);
    }
  }

  async #compare(of: DeviceQuery, other: string | null): Promise<Comparison | null> {
    const found = await this.host.ask('memory/compare', {...of, other});
    return found && {of, ...found};
  }

  async #draw(): Promise<void> {
    const shown = this.#shown;
    const tab = this.#tab;
    this.#bar.select(tab);
    if (!shown) return;
    try {
      const panel = await this.#panelOf(tab, shown);
      if (this.#shown !== shown || this.#tab !== tab) return;
      this.#about.textContent = panel.about;
      this.#csv = panel.csv;
      if (panel.table.parentElement !== this.#content) this.#content.replaceChildren(panel.table);
      panel.draw?.();
    } catch (error) {
      if (this.#shown === shown && this.#tab === tab) this.#empty();
      this.handlers.failed(error, shown.stamp);
    }
  }

  /** Removes what is shown, which may belong to another tab, moment or device. */
  #empty(): void {
    this.#about.textContent = '';
    this.#csv = null;
    this.#content.replaceChildren();
  }

  async #panelOf(tab: TabId, all: Shown): Promise<Panel> {
    const {moment} = all;
    const of: DeviceQuery = {stamp: all.stamp, device: all.device};
    const {rows, blocks, blockCount, at} = all.shown;
    switch (tab) {
      case 'lines': {
        const about = t(
          '{0} live {1}, by the innermost line of your own code.',
          formatBytes(at.allocatedBytes),
          momentText(moment),
        );
        return this.#table(t('Live memory by line'), about, rowColumns, rows);
      }
      case 'blocks': {
        const which = blocks.length < blockCount ? t('The {0} largest of ', formatCount(blocks.length)) : '';
        return this.#table(
          t('Live blocks'),
          t('{0}{1} live {2}.', which, counted(blockCount, '{0} block', '{0} blocks'), momentText(moment)),
          blockColumns,
          blocks,
        );
      }
      case 'flame':
        return this.#flamePanel(of, moment);
      case 'kept': {
        const kept = await this.host.ask('memory/kept', of);
        return this.#table(t('Kept memory by line'), keptText(kept), keptColumns, kept.rows);
      }
      case 'segments': {
        const segments = await this.host.ask('memory/segments', of);
        return this.#table(
          t('Segments'),
          t('At the end of the snapshot, most free memory first.'),
          segmentColumns,
          segments,
        );
      }
      case 'estimate':
        return this.#estimatePanel(of, moment);
      case 'change':
        return this.#changePanel(of, moment, all.base);
    }
  }

  async #changePanel(of: DeviceQuery, moment: number, base: number | null): Promise<Panel> {
    const other = await this.#comparisonOf(of);
    if (other) {
      const about = t('From the peak of this snapshot to the peak of {0}.', other.name);
      return this.#table(t('Change by line'), about, differenceColumns, other.rows);
    }
    if (base === null) {
      const text = t(
        'Mark a moment (B in the chart, or "Mark to compare"), then choose another one; or compare with another snapshot.',
      );
      return {about: '', table: element('p', {className: 'muted', text}), csv: null};
    }
    const rows = await this.host.ask('memory/difference', {...of, moment, base});
    const about = t('From {0} to {1}.', momentText(base), momentText(moment));
    return this.#table(
      t('Change by line'),
      about,
      differenceColumns,
      rows.filter(({deltaBytes, deltaBlocks}) => deltaBytes !== 0 || deltaBlocks !== 0),
    );
  }

  /** Returns the comparison of a device with the other snapshot; null if none was chosen. */
  async #comparisonOf(of: DeviceQuery): Promise<Comparison | null> {
    const known = this.#other;
    if (!known || (known.of.device === of.device && known.of.stamp === of.stamp)) return known;
    const found = await this.#compare(of, known.path);
    if (this.#other === known) this.#other = found;
    return found;
  }

  async #estimatePanel(of: DeviceQuery, moment: number): Promise<Panel> {
    const window = {fromMoment: moment, toMoment: moment, columns: 1};
    const {bands} = await this.host.ask('memory/curve', {...of, by: 'category', window});
    const estimate = (this.#estimate ??= new MemoryEstimate(this.#grids));
    estimate.show(bands.map(({name, bytes: [held = 0]}) => ({name, bytes: held})));
    const about = t('Estimated by formula, beside what is live {0}.', momentText(moment));
    return {about, table: estimate.element, csv: () => estimate.csv()};
  }

  async #flamePanel(of: DeviceQuery, moment: number): Promise<Panel> {
    const graph = await this.host.ask('memory/flame', {...of, moment});
    const about = t('Live memory {0}, by stack: outermost frame on top.', momentText(moment));
    const draw = () => {
      this.#flame ??= this.#createFlame();
      this.#flame.show(graph);
    };
    return {about, table: this.#flameStage, csv: null, draw};
  }

  #createFlame(): Flame {
    const flame = new Flame(this.#flameCanvas, {
      zoomed: () => undefined,
      focused: text => {
        if (document.activeElement === this.#flameCanvas) this.handlers.tell(text);
      },
      menu: () => undefined,
    });
    bindKeys(this.#flameCanvas, flame, {search: () => undefined, help: () => undefined, leave: () => false});
    return flame;
  }

  #table<Row extends CodePlace>(
    label: string,
    about: string,
    columns: readonly RowColumn<Row>[],
    rows: readonly Row[],
  ): Panel {
    if (rows.length === 0) return {about, table: element('p', {className: 'muted', text: t('None.')}), csv: null};
    const grid = new RowGrid(label, columns, rows, this.#grids, row => {
      this.#reveal(row);
    });
    return {about, table: grid.element, csv: () => grid.text('csv')};
  }

  #reveal({file, line}: CodePlace): void {
    if (file === null || line === null) return;
    this.host.ask('memory/reveal', {file, line}).catch((error: unknown) => {
      this.handlers.tell(errorText(error));
    });
  }
}

function keptText({steps, isGuessed}: KeptMemory): string {
  const told =
    steps === 0
      ? t('No steps were found in the history.')
      : counted(
          steps,
          'The history has {0} step{1}.',
          'The history has {0} steps{1}.',
          isGuessed ? t(', guessed from optimizer steps') : '',
        );
  return t(
    'Allocated in the history and never freed in it. Parameters and optimizer state stay; a line that keeps blocks of many steps may be a leak. {0}',
    told,
  );
}
