import {TraceError} from '../../src/core/base/errors.js';
import {memoryStackings, type MemoryStacking} from '../../src/core/memory-snapshot/allocation-groups.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {MemoryCurve} from '../../src/core/memory-snapshot/memory-curve.js';
import type {MemoryPlace} from '../../src/core/memory-snapshot/moment-times.js';
import type {MemoryContent, MemoryMoment, MemoryOverview} from '../../src/protocol/memory-messages.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {storedChoices, storeChoices} from '../shared/stored-members.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {counted, t} from '../shared/translate.js';
import {button, dropdown, progressRing, type Dropdown} from '../shared/ui.js';
import {MemoryChart, momentText} from './memory-chart.js';
import type {MemoryHost} from './memory-host.js';
import {memoryLegend} from './memory-legend.js';
import {MemoryPanels} from './memory-panels.js';
import {identityOf, storedLook, type Looked} from './stored-look.js';

const stackingTexts: Readonly<Record<MemoryStacking, string>> = {
  line: t('line'),
  function: t('function'),
  module: t('module'),
  category: t('category (guessed)'),
  size: t('size'),
  stream: t('stream'),
};

/** Shows a memory snapshot: memory over time, and the live blocks at a moment. */
export class MemoryView {
  readonly #title = element('span', {className: 'title'});
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'said'}});
  readonly #headline = element('dl', {className: 'headline', attributes: {'data-testid': 'headline'}});
  readonly #notes = new NotesList();
  readonly #legend = element('div', {className: 'legend'});
  readonly #device = element('span');
  readonly #by: Dropdown = dropdown(
    t('Stack by'),
    memoryStackings.map(value => ({value, text: t('By {0}', stackingTexts[value])})),
    'line',
    by => {
      this.#change({by});
    },
  );
  readonly #chart = new MemoryChart({
    choose: moment => {
      void this.#choose(moment);
    },
    zoom: window => {
      this.#change({window});
    },
    markBase: () => {
      this.#markBase();
    },
    resized: () => {
      // A hidden chart has no size, and its version of the file may be gone.
      if (!this.#view.hidden) void this.#drawCurve();
    },
  });
  readonly #panels: MemoryPanels;
  readonly #ranks: RankSelector<null>;
  readonly #message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  readonly #view = element('div', {className: 'view'});
  #overview: MemoryOverview | null = null;
  #looked: Looked | null = null;
  #curve: MemoryCurve | null = null;
  #at: MemoryCurve | null = null;

  constructor(
    private readonly host: MemoryHost,
    private readonly body: HTMLElement,
  ) {
    this.#panels = new MemoryPanels(host, {
      tell: text => {
        this.#said.textContent = text;
      },
      failed: (error, stamp) => {
        this.#failed(error, stamp);
      },
      chosen: () => {
        this.#keep();
      },
    });
    this.#ranks = new RankSelector(host, {
      section: {why: t('a memory snapshot is of one rank')},
      looked: () => null,
      fail: text => (this.#said.textContent = text),
    });
    this.#view.append(
      this.#head(),
      this.#notes.element,
      this.#headline,
      element('div', {className: 'over-time', children: [this.#chart.element, this.#legend]}),
      this.#panels.element,
    );
  }

  start(): void {
    this.#view.hidden = true;
    this.body.append(this.#view, this.#message);
    this.host.serve({
      'memory/content': content => {
        this.#show(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
    });
    onThemeChange(() => {
      this.#drawLegend();
    });
    void this.host.ask('view/ready', undefined);
  }

  #head(): HTMLElement {
    const act = (text: string, run: () => void) => button(text, run, 'icon');
    return element('div', {
      className: 'bar',
      children: [
        ...[this.#title, this.#ranks.element, this.#device, this.#by],
        act(t('Peak'), () => {
          const peak = this.#info()?.peakMoment;
          if (peak !== undefined) void this.#choose(peak);
        }),
        act(t('Mark to compare'), () => {
          this.#markBase();
        }),
        act(t('Show in timeline'), () => {
          void this.#showInTimeline();
        }),
        act(t('Compare with snapshot…'), () => {
          if (this.#looked) void this.#panels.compareWith({stamp: this.#stamp, device: this.#looked.device});
        }),
        ...[element('span', {className: 'spring'}), this.#said],
      ],
    });
  }

  #show(content: MemoryContent): void {
    this.#view.hidden = content.state !== 'open';
    this.#message.hidden = content.state === 'open';
    if (content.state === 'opening') {
      const percent = `${String(Math.floor(100 * content.fraction))} %`;
      this.#message.replaceChildren(progressRing(), element('p', {text: t('Opening {0}: {1}', content.name, percent)}));
    } else if (content.state === 'failed') this.#offerAgain(content.message);
    else {
      this.#title.textContent = content.name;
      // The view's own file, which the host knows.
      this.#ranks.opened(0);
      if (content.overview.stamp !== this.#stamp) this.#clear();
      this.#open(content.overview, content.at);
    }
  }

  /** Says why there is no view, and offers to read the snapshot again. */
  #offerAgain(why: string): void {
    const again = button(
      t('Try again'),
      () => {
        void this.host.ask('memory/again', undefined);
      },
      'secondary',
    );
    this.#message.replaceChildren(
      element('p', {text: why, attributes: {role: 'alert'}}),
      element('div', {className: 'buttons', children: [again]}),
    );
    this.#view.hidden = true;
    this.#message.hidden = false;
  }

  /**
   * Says why a question failed. A file that has changed must be read again before anything else is shown of it. A late
   * failure of a version that the page no longer shows is ignored.
   *
   * @param stamp of the version that the question was about
   */
  #failed(error: unknown, stamp: string): void {
    if (stamp !== this.#stamp || this.#view.hidden) return;
    if (error instanceof TraceError && error.code === 'file/changed') this.#offerAgain(error.message);
    else this.#said.textContent = errorText(error);
  }

  /** The version that is shown. Each question names it, so that two versions are never shown together. */
  get #stamp(): string {
    return this.#overview?.stamp ?? '';
  }

  #open(overview: MemoryOverview, at: MemoryPlace | null): void {
    this.#overview = overview;
    const stored = storedChoices(this.host, identityOf(overview));
    const kept = storedLook(stored, overview);
    const device = at?.device ?? kept?.device ?? overview.device;
    this.#offerDevices(overview, device);
    if (kept && this.#looked === null) {
      this.#by.value = kept.by;
      this.#panels.restore(stored['tab'], at ? null : kept.base);
    }
    if (kept && !at) this.#look(kept);
    else this.#begin(device, at?.moment, kept?.by);
  }

  #offerDevices({devices}: MemoryOverview, chosen: number): void {
    const choose = dropdown(
      t('Device'),
      devices.map(info => ({value: String(info.device), text: info.name})),
      String(chosen),
      value => {
        this.#begin(Number(value));
      },
    );
    this.#device.replaceChildren(...(devices.length > 1 ? [choose] : []));
  }

  /** Begins with a device: its whole history, and its first out-of-memory error or its peak. */
  #begin(device: number, wanted?: number, by: MemoryStacking = this.#looked?.by ?? 'line'): void {
    const info = this.#overview?.devices.find(one => one.device === device);
    if (!info) return;
    const moment = wanted ?? info.outOfMemoryMoments.at(0) ?? info.peakMoment;
    this.#look({device, by, window: {fromMoment: 0, toMoment: info.events}, moment, base: null});
  }

  #look(looked: Looked): void {
    if (looked.device !== this.#looked?.device) this.#clear();
    this.#looked = looked;
    this.#notes.show(this.#info()?.notes ?? []);
    this.#showHeadline();
    void this.#drawCurve();
    void this.#choose(looked.moment);
  }

  /** Removes what is of another device or version: the answers about this one may come late, or not at all. */
  #clear(): void {
    this.#curve = null;
    this.#at = null;
    this.#chart.clear();
    this.#legend.replaceChildren();
    this.#panels.clear();
    this.#said.textContent = '';
  }

  /** Stores what is looked at, so that the view shows the same after it was hidden. */
  #keep(): void {
    if (this.#overview && this.#looked)
      storeChoices(this.host, identityOf(this.#overview), {...this.#looked, tab: this.#panels.tab});
  }

  #info(): MemoryOverview['devices'][number] | undefined {
    return this.#overview?.devices.find(({device}) => device === this.#looked?.device);
  }

  #showHeadline(): void {
    const info = this.#info();
    if (!info) return;
    const {peak, end, fragmentation: broken, outOfMemory} = info;
    const figures: [string, string, string][] = [
      [t('Peak'), formatBytes(peak.allocatedBytes), reservedText(peak, t(' then'))],
      [t('End'), formatBytes(end.allocatedBytes), reservedText(end)],
      ...freeFigures(broken),
      [
        t('History'),
        counted(info.events, '{0} event', '{0} events'),
        outOfMemory === 0 ? '' : counted(outOfMemory, 'out of memory {0} time', 'out of memory {0} times'),
      ],
    ];
    this.#headline.replaceChildren(
      ...figures.map(([name, figure, more]) =>
        element('div', {
          children: [
            element('dt', {text: name}),
            element('dd', {className: 'figure', text: figure}),
            ...(more === '' ? [] : [element('dd', {className: 'muted', text: more})]),
          ],
        }),
      ),
    );
  }

  #change(change: Partial<Looked>): void {
    if (!this.#looked) return;
    Object.assign(this.#looked, change);
    this.#keep();
    void this.#drawCurve();
    if (change.by !== undefined) void this.#drawMoment();
  }

  async #drawCurve(): Promise<void> {
    const looked = this.#looked;
    if (!looked) return;
    const {device, by, window} = looked;
    const stamp = this.#stamp;
    try {
      const curve = await this.host.ask('memory/curve', {
        stamp,
        device,
        by,
        window: {...window, columns: this.#chart.columns},
      });
      // A newer request will have its own answer.
      if (this.#looked !== looked || looked.by !== by || looked.window !== window) return;
      this.#curve = curve;
      this.#redraw();
    } catch (error) {
      this.#failed(error, stamp);
    }
  }

  async #choose(moment: number): Promise<void> {
    if (!this.#looked) return;
    this.#looked.moment = moment;
    this.#keep();
    this.#redraw();
    await this.#drawMoment();
  }

  async #drawMoment(): Promise<void> {
    const looked = this.#looked;
    if (!looked) return;
    const {device, moment, by, base} = looked;
    const window = {fromMoment: moment, toMoment: moment, columns: 1};
    const stamp = this.#stamp;
    try {
      const [at, shown] = await Promise.all([
        this.host.ask('memory/curve', {stamp, device, by, window}),
        this.host.ask('memory/moment', {stamp, device, moment}),
      ]);
      if (this.#looked !== looked || looked.moment !== moment || looked.by !== by) return;
      this.#at = at;
      this.#said.textContent = momentLine(moment, shown);
      this.#drawLegend();
      this.#panels.show({stamp, device, moment, base, shown});
    } catch (error) {
      this.#failed(error, stamp);
    }
  }

  async #showInTimeline(): Promise<void> {
    if (!this.#looked) return;
    const {device, moment} = this.#looked;
    try {
      const isShown = await this.host.ask('memory/timeline', {stamp: this.#stamp, device, moment});
      if (!isShown) this.#said.textContent = t('No open profile is of this moment. Open one of the same run.');
    } catch (error) {
      this.#said.textContent = errorText(error);
    }
  }

  #markBase(): void {
    const looked = this.#looked;
    if (!looked) return;
    looked.base = looked.base === looked.moment ? null : looked.moment;
    this.#keep();
    this.#redraw();
    void this.#drawMoment();
  }

  #redraw(): void {
    const info = this.#info();
    if (!this.#looked || !info || !this.#curve) return;
    const {moment, base} = this.#looked;
    const {peakMoment, outOfMemoryMoments, events} = info;
    this.#chart.show(this.#curve, {moment, base, peakMoment, outOfMemoryMoments}, events);
    this.#drawLegend();
  }

  #drawLegend(): void {
    if (this.#curve && this.#at) this.#legend.replaceChildren(memoryLegend(this.#curve, this.#at, readTheme()));
  }
}

/** Returns figures on free memory; none if the recording has no segments. */
function freeFigures(broken: MemoryOverview['devices'][number]['fragmentation']): [string, string, string][] {
  if (broken.segments === 0) return [];
  const {freeBytes, largestFreeBytes, inactiveSplitBytes} = broken;
  const more = t(
    'largest block {0}, {1} beside blocks in use',
    formatBytes(largestFreeBytes),
    formatBytes(inactiveSplitBytes),
  );
  return [[t('Free at the end'), formatBytes(freeBytes), more]];
}

function reservedText({reservedBytes}: {readonly reservedBytes: number}, when = ''): string {
  // Unknown numbers arrive as null: messages to a page are JSON.
  return Number.isFinite(reservedBytes) ? t('{0} reserved{1}', formatBytes(reservedBytes), when) : '';
}

function momentLine(moment: number, {at, blockCount}: MemoryMoment): string {
  const sizes = counted(blockCount, '{1} in {0} block', '{1} in {0} blocks', formatBytes(at.allocatedBytes));
  return `${momentText(moment)}: ${[sizes, reservedText(at)].filter(text => text !== '').join(', ')}`;
}
