import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {noLineOpens} from '../../src/core/source/no-line.js';
import type {PathPicture} from '../../src/core/what-if/recorded/path-at.js';
import type {
  HostRequests,
  ProfileView,
  RowTarget,
  ShownRow,
  TimelineViewRequests,
} from '../../src/protocol/view-messages.js';
import {ContentArea} from '../shared/content.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {KeyList} from '../shared/key-list.js';
import {keyboardChart} from '../shared/keyboard-chart.js';
import type {Host} from '../shared/host.js';
import {storeMembers} from '../shared/stored-members.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {t} from '../shared/translate.js';
import {iconButton, label} from '../shared/ui.js';
import {AreaPanel} from './area-panel.js';
import {AreaScope} from './area-scope.js';
import {DetailsPanel} from './details-panel.js';
import {DetailsSize} from './details-size.js';
import {keysHelp} from './gestures.js';
import type {TimelinePlace} from './picture.js';
import {ReaderTable} from './reader-table.js';
import {ReadingBar} from './reading-bar.js';
import {SearchBar} from './search-bar.js';
import {offerStepMenu} from './step-menu.js';
import {fromStored, toStored} from './stored-layout.js';
import {viewOf, withView} from './stored-views.js';
import {Timeline} from './timeline.js';
import {TimelineLink} from './timeline-link.js';
import type {Coloring} from './timeline-state.js';
import {uncoveredText} from './uncovered-text.js';

const coloringTexts: Readonly<Record<Coloring, string>> = {
  class: t('class'),
  name: t('name'),
  range: t('range'),
  rank: t('rank'),
};
const storeDelayMs = 200;

/** The window's edges are shown to a thousandth of its width. */
const windowDigits = 1000;

/** Shows the timeline of a profile: its canvas, the bar above it, and the panels beside and below it. */
export class TimelineView {
  #shown: ProfileView | null = null;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;
  #storedText = '';
  #isArranged = false;
  /** Where the search began: Escape returns there. */
  #searchedFrom: TimelinePlace | null = null;
  readonly #title = element('button', {
    className: 'title',
    attributes: {type: 'button', 'aria-haspopup': 'listbox'},
  });
  readonly #figures = element('span', {className: 'muted'});
  readonly #inSight = element('span', {className: 'muted', attributes: {'data-testid': 'window'}});
  readonly #canvas = element('canvas', {
    attributes: keyboardChart(t('Timeline. Press ? for its keys.')),
  });
  readonly #filter = element('input', {
    className: 'text-input filter',
    attributes: {type: 'text', placeholder: t('Filter tracks'), 'aria-label': t('Filter tracks')},
  });
  readonly #notes = new NotesList();
  readonly #details = new DetailsPanel({
    goTo: slice => void this.#goTo(slice),
    goToSource: name => void this.#goToSource(name),
    showFlame: range => void this.#showElsewhere('range', range, 'flame'),
    whatIf: ({name}) => void this.#showElsewhere('operation', name, 'what-if'),
    searchSame: name => this.#search.searchSame(name),
    readDurations: slice => this.host.ask('slice/durations', {key: this.#shown?.key ?? -1, slice}),
  });
  readonly #detailsSize: DetailsSize;
  readonly #area: AreaPanel;
  readonly #scope: AreaScope;
  readonly #keys = new KeyList(t('Keys of the timeline'), keysHelp, () => this.#canvas.focus());
  readonly #search: SearchBar;
  readonly #ranks: RankSelector<null>;
  readonly #link: TimelineLink;
  /** What keys have chosen, for screen readers: a row or a step. */
  readonly #heard = element('div', {
    className: 'only-read',
    attributes: {'aria-live': 'polite', 'data-testid': 'focused-row'},
  });
  readonly #uncovered = element('span', {
    className: 'muted',
    attributes: {'aria-live': 'polite', 'data-testid': 'uncovered'},
  });
  readonly #path = element('span', {className: 'muted', attributes: {'aria-live': 'polite', 'data-testid': 'path'}});
  readonly #reader = new ReaderTable(track => this.#timeline.trackName(track));
  readonly #bar: HTMLDivElement;
  readonly #stage = element('div', {className: 'stage', children: [this.#canvas, this.#keys.element]});
  readonly #view: HTMLDivElement;
  readonly #colorButton = iconButton('symbol-color', t('Colour (C)'), () => this.#timeline.recolor());
  readonly #pathButton = iconButton('milestone', t('Critical path (X)'), () => this.#timeline.togglePath());
  readonly #searchButton = iconButton('search', t('Search (/)'), () => this.#openSearch());
  readonly #reading: ReadingBar;
  readonly #timeline: Timeline;
  readonly #content: ContentArea;

  constructor(
    private readonly host: Host<HostRequests, TimelineViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#detailsSize = new DetailsSize(this.#details.element, this.host.restore(), () => this.#storeSoon());
    this.#area = new AreaPanel(this.host, () => this.#timeline.markWindow(null));
    this.#scope = new AreaScope(this.host, window => this.#timeline.markWindow(window));
    this.#search = new SearchBar(this.host, {
      key: () => this.#shown?.key ?? -1,
      from: () => ({slice: this.#timeline.selection.chosen, fromNs: this.#timeline.window.fromNs}),
      opened: () => (this.#searchedFrom ??= this.#timeline.place),
      show: hit => (this.#searchedFrom ? this.#timeline.goToFrom(this.#searchedFrom, hit) : this.#timeline.goTo(hit)),
      closed: (isLeft, hadKeys) => {
        if (isLeft && this.#searchedFrom) this.#timeline.backTo(this.#searchedFrom);
        this.#searchedFrom = null;
        if (hadKeys) this.#canvas.focus();
      },
      goToStep: number => this.#timeline.goToStep(number),
    });
    this.#ranks = new RankSelector(this.host, {
      section: 'timeline',
      looked: () => null,
      fail: text => this.#details.tell(text),
    });
    this.#link = new TimelineLink(this.host.ask, () => this.#timeline);
    this.#reading = new ReadingBar(() => this.#timeline, [this.#figures, this.#searchButton, this.#pathButton], {
      begun: name => {
        this.#title.textContent = this.#title.title = name;
        this.#notes.show([]);
        this.#area.hide();
        this.#search.end();
        this.#uncovered.textContent = '';
      },
      cancel: () => void this.host.ask('view/command', {command: 'cancel-open'}),
    });
    this.#bar = element('div', {
      className: 'bar',
      children: [
        this.#title,
        this.#ranks.element,
        this.#link.element,
        this.#figures,
        this.#reading.element,
        this.#scope.chip,
        element('span', {className: 'spring'}),
        this.#search.element,
        this.#uncovered,
        this.#path,
        this.#inSight,
        this.#filter,
      ],
    });
    this.#view = element('div', {
      className: 'view',
      children: [
        this.#bar,
        this.#notes.element,
        element('div', {className: 'split', children: [this.#stage, this.#search.list.element, this.#area.element]}),
        this.#detailsSize.element,
        this.#details.element,
        this.#heard,
        this.#reader.element,
      ],
    });
    this.#timeline = new Timeline(this.host, this.#canvas, {
      windowChanged: ({fromNs, toNs}) => {
        const {spanNs} = this.#timeline;
        const text = timeFormatter(spanNs, (toNs - fromNs) / windowDigits);
        this.#link.moved();
        this.#inSight.textContent = `${text(Math.max(0, fromNs))} – ${text(Math.min(spanNs, toNs))}`;
      },
      pointed: ns => this.#link.pointed(ns),
      stepFrom: window => this.#link.stepFrom(window),
      stepWindow: step => this.#link.stepWindow(step),
      nothingToClear: () => this.#link.end(),
      layoutChanged: (layout, coloring) => {
        this.#uncovered.textContent = '';
        if (this.#filter.value !== layout.filter) this.#filter.value = layout.filter;
        label(this.#colorButton, t('Coloured by {0} (C: by the next)', coloringTexts[coloring]));
        // A restored layout need not be stored again.
        if (this.#isArranged) void this.host.ask('layout/store', {layout: toStored(layout, coloring)});
      },
      selectionChanged: (slice, instant, trackName) => {
        // With the keyboard alone, the selection determines the pointed time.
        if (slice) this.#link.pointed(slice.startNs);
        if (slice) this.#details.showSlice(slice, trackName);
        else if (instant) this.#details.showInstant(instant, trackName);
        else this.#details.clear();
      },
      contextRead: context => {
        const {slice} = this.#timeline.selection;
        if (slice) this.#details.showContext(context, slice);
      },
      slackRead: slack => this.#details.showSlack(slack),
      pathChanged: (path, isOn) => {
        this.#pathButton.setAttribute('aria-pressed', String(isOn));
        this.#path.textContent = path ? pathText(path) : '';
      },
      argumentsRead: args => this.#details.showArguments(args),
      mergedChosen: text => this.#details.tell(text),
      areaChanged: selection => {
        if (selection && this.#shown) void this.#area.show(this.#shown.key, selection);
        else this.#area.hide();
        if (this.#shown) this.#scope.marked(selection);
      },
      uncovered: hidBy => (this.#uncovered.textContent = uncoveredText(hidBy)),
      drawn: (state, visiblePx) => {
        this.#reader.show(state, visiblePx);
        this.#storeSoon();
      },
      rowFocused: text => (this.#heard.textContent = text),
      stepShown: ({number}) => (this.#heard.textContent = t('Step {0}', number)),
      memoryChosen: ({name, device}, atNs) => {
        const key = this.#shown?.key ?? -1;
        const what = [name, t('at {0}', timeFormatter(atNs, 1000)(atNs))].join(' · ');
        this.#details.showMemory(what, () => {
          this.host.ask('memory/show', {key, atNs, device}).catch((error: unknown) => {
            this.#details.tell(errorText(error));
          });
        });
      },
      searchWanted: () => this.#openSearch(),
      helpWanted: () => this.#keys.toggle(),
      closeHelp: () => this.#keys.close(),
      failed: error => this.#details.tell(errorText(error)),
    });
    offerStepMenu(
      this.#canvas,
      xPx => this.#timeline.stepDrawnAt(xPx),
      () => this.#shown?.key ?? -1,
    );
    this.#content = new ContentArea(this.host, this.#view, {
      show: profile => {
        this.#storeNow();
        // Another version of the file has other steps.
        this.#link.end();
        this.#shown = profile;
        this.#title.textContent = profile.name;
        this.#title.title = t('{0}: switch profile', profile.name);
        this.#figures.textContent = figuresOf(profile);
        this.#notes.show(profile.info.notes);
        this.#area.hide();
        this.#search.end();
        this.#scope.begin(profile.key);
        this.#ranks.opened(profile.key);
        const view = viewOf(this.host.restore(), profile.identity);
        this.#filter.value = view?.filter ?? '';
        this.#uncovered.textContent = '';
        this.#timeline.show(profile, view);
        this.#reading.end();
      },
      scoped: window => this.#scope.told(window),
      sketch: opening => this.#reading.take(opening),
      clear: ({state}) => {
        this.#storeNow();
        this.#shown = null;
        this.#link.end();
        this.#ranks.closed();
        if (state !== 'opening') this.#reading.end();
      },
    });
  }

  start(): void {
    this.#title.addEventListener('click', () => void this.host.ask('view/command', {command: 'switch-profile'}));
    this.#filter.addEventListener('input', () => this.#timeline.filter(this.#filter.value));
    this.#filter.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      this.#filter.value = '';
      this.#timeline.filter('');
      this.#canvas.focus();
    });
    this.#view.hidden = true;
    this.body.append(this.#view);
    this.#bar.append(
      this.#searchButton,
      this.#colorButton,
      this.#pathButton,
      iconButton('zoom-in', t('Zoom in (W)'), () => this.#timeline.zoom(0.5)),
      iconButton('zoom-out', t('Zoom out (S)'), () => this.#timeline.zoom(2)),
      iconButton('screen-full', t('Fit all (Home)'), () => this.#timeline.fitAll()),
      iconButton('flame', t('Show flame graph'), () => void this.host.ask('view/command', {command: 'show-flame'})),
      iconButton('question', t('Keys (?)'), () => this.#keys.toggle()),
    );
    this.host.serve({
      'view/content': changed => {
        this.#content.update(changed);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
      'timeline/reveal': target => {
        this.#timeline.reveal(target);
        this.#canvas.focus();
        return undefined;
      },
      'timeline/highlight': ({names}) => {
        this.#timeline.highlight(names);
        return undefined;
      },
      'timeline/link': ({link}) => {
        this.#link.told(link);
        return undefined;
      },
      'timeline/linked': view => {
        this.#link.follow(view);
        return undefined;
      },
      'timeline/search': () => {
        this.#openSearch();
        return undefined;
      },
    });
    void this.#restoreLayout().finally(() => this.host.ask('view/ready', undefined));
    // VS Code may hide the view next and discard its page, so store the view now.
    window.addEventListener('blur', () => this.#storeNow());
  }

  /** A profile that is still being read cannot be queried. */
  #openSearch(): void {
    if (this.#shown) this.#search.open();
  }

  async #restoreLayout(): Promise<void> {
    const {layout, coloring} = fromStored(await this.host.ask('layout/restore', undefined).catch(() => null));
    this.#timeline.arrange(layout, coloring);
    this.#isArranged = true;
  }

  async #goTo(slice: number): Promise<void> {
    const found = this.#shown ? await this.host.ask('slice/details', {key: this.#shown.key, slice}) : null;
    if (found) this.#timeline.follow(found);
    this.#canvas.focus();
  }

  async #showElsewhere(kind: ShownRow['kind'], name: string, target: RowTarget): Promise<void> {
    if (!this.#shown) return;
    const row = {kind, name, selection: {}, stack: {}};
    await this.host.ask('tables/show', {key: this.#shown.key, row, in: target});
  }

  async #goToSource(name: string): Promise<void> {
    const isFound = this.#shown ? await this.host.ask('source/reveal', {key: this.#shown.key, name}) : true;
    if (!isFound) this.#details.tell(noLineOpens(name));
  }

  /** Stores the view once it rests; it is drawn for other reasons, too. */
  #storeSoon(): void {
    this.#storeTimer ??= setTimeout(() => this.#storeNow(), storeDelayMs);
  }

  #storeNow(): void {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    if (!this.#shown) return;
    const view = this.#timeline.view;
    const text = JSON.stringify([this.#shown.identity, view, this.#detailsSize.stored]);
    if (text === this.#storedText) return;
    this.#storedText = text;
    const views = withView(this.host.restore(), this.#shown.identity, view);
    storeMembers(this.host, {...views, ...this.#detailsSize.stored});
  }
}

function pathText({window, pathNs}: PathPicture): string {
  return t('Critical path of {0}: {1}', window, formatDuration(pathNs));
}

/** Busy comes first, because users ask first how much of the time the GPU worked. */
function figuresOf({info}: ProfileView): string {
  const {gpu, spanNs, devices} = info;
  const over = devices.length > 1 ? t(' over {0} GPUs', devices.length) : '';
  if (gpu.workNs === 0) return t('{0} · no GPU work', formatDuration(spanNs));
  return t(
    '{0} · GPU busy {1}{2}, idle {3}',
    formatDuration(spanNs),
    formatDuration(gpu.busyNs),
    over,
    formatPercent(gpu.idleNs, gpu.spanNs),
  );
}
