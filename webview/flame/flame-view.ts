import type {FlameQuery} from '../../src/core/flame/flame-graph.js';
import {flameName, flamePath, isOfThreads, nodeOfPath} from '../../src/core/flame/flame-graph.js';
import {narrowing} from '../../src/core/flame/flame-root.js';
import {formatWeight} from '../../src/core/flame/flame-text.js';
import type {FlameViewRequests, HostRequests, ProfileView} from '../../src/protocol/view-messages.js';
import {addingUp} from '../shared/adding-up.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element, holdsFocus} from '../shared/dom.js';
import {keyboardChart} from '../shared/keyboard-chart.js';
import type {Host} from '../shared/host.js';
import {KeptFocus} from '../shared/kept-focus.js';
import {NotesList} from '../shared/notes.js';
import {RankSelector} from '../shared/rank-selector.js';
import {selectionChoices, type SelectionChoices} from '../shared/selection-controls.js';
import {storedChoices, storedMembers, storeChoices, storeMembers} from '../shared/stored-members.js';
import {t} from '../shared/translate.js';
import {button, iconButton} from '../shared/ui.js';
import {blockMenu} from './block-menu.js';
import {CallersPanel} from './callers-panel.js';
import {Flame} from './flame.js';
import {bindKeys, keyList, searchAndHelp} from './keys.js';
import {Menu} from '../shared/menu.js';
import {QueryBar} from './query-bar.js';
import {pictureFile, pictureFormats, savedText} from './save-picture.js';
import {SearchBox} from './search-box.js';
import {
  queryOfRange,
  queryOfRank,
  queryOfSelection,
  storedPicture,
  storedQuery,
  wholeQuery,
  type FlamePicture,
} from './stored-query.js';

/** Shows the flame graph of a profile, or of a part of it. */
export class FlameView {
  readonly #title = element('span', {className: 'title'});
  readonly #total = element('span', {className: 'muted'});
  readonly #spring = element('span', {className: 'spring'});
  readonly #crumbs = element('div', {
    className: 'crumbs',
    attributes: {role: 'navigation', 'aria-label': t('Path of the shown block')},
  });
  readonly #canvas = element('canvas', {
    attributes: keyboardChart(
      t('Flame graph. Arrow keys move, Enter zooms, Escape goes back, / searches, ? lists the keys.'),
    ),
  });
  readonly #details = element('div', {
    className: 'details',
    attributes: {'aria-live': 'polite', 'data-testid': 'selection'},
  });
  readonly #empty = element('div', {className: 'message muted'});
  readonly #stage = element('div', {className: 'stage', children: [this.#canvas]});
  readonly #keys = keyList(true, () => this.#canvas.focus());
  readonly #notes = new NotesList();
  readonly #menu = new Menu(this.#stage, () => this.#canvas.focus());
  /** What is shown, and the latest query: answers to earlier queries are dropped. */
  #shown: ProfileView | null = null;
  #asked: FlameQuery | null = null;
  #choices: SelectionChoices = {devices: [], steps: [], processes: [], threads: new Map()};
  readonly #ranks: RankSelector<FlamePicture>;
  readonly #focus = new KeptFocus();
  readonly #flame = new Flame(this.#canvas, {
    zoomed: path => {
      const wasAtCrumb = holdsFocus(this.#crumbs);
      this.#crumbs.replaceChildren(
        ...path.map(node => {
          const name = this.#flame.graph ? flameName(this.#flame.graph, node) : '';
          const crumb = button(name, () => this.#flame.zoomTo(node), 'icon');
          crumb.title = t('Zoom to {0}', name);
          return crumb;
        }),
      );
      // The crumb that was used is gone. The canvas has the block that it named.
      if (wasAtCrumb) this.#canvas.focus();
      if (this.#asked) this.#keepPicture(this.#asked, this.#zoomedPath());
    },
    focused: text => {
      this.#tell(text);
      this.#followCallers();
    },
    menu: (node, xPx, yPx) => {
      if (!this.#shown || !this.#flame.graph || !this.#asked) return;
      const {key} = this.#shown;
      const query = this.#asked;
      this.#menu.show(
        blockMenu(this.#flame, node, {
          host: this.host,
          key,
          query,
          ask: query => this.#ask(query),
          tell: text => this.#tell(text),
        }),
        xPx,
        yPx,
      );
    },
  });
  readonly #search = new SearchBox(this.#flame, () => this.#canvas.focus());
  readonly #bar = new QueryBar(query => this.#change(query));
  readonly #exporter = iconButton('export', t('Export'), () => {
    const items = pictureFormats.map(format => ({text: format, run: () => void this.#save(format)}));
    this.#menu.show(items, this.#exporter.offsetLeft, 0);
  });
  readonly #callers = new CallersPanel({
    read: query => {
      if (!this.#shown) throw new Error('No profile is open.');
      return this.host.ask('flame', {key: this.#shown.key, query});
    },
    copy: text => {
      tellCopied(this.host.ask('clipboard/write', {text}), t('The table'), said => this.#tell(said));
    },
  });
  readonly #callersButton = iconButton('table', t('Callers and callees of the selected block'), () => {
    this.#callers.toggle();
    this.#followCallers();
  });
  readonly #main = element('div', {className: 'main', children: [this.#stage, this.#callers.element]});
  readonly #view = element('div', {
    className: 'view',
    children: [
      element('div', {
        className: 'bar',
        children: [
          ...[this.#title, this.#total, this.#spring, this.#search.element],
          ...[this.#callersButton, this.#exporter],
        ],
      }),
      this.#bar.element,
      this.#notes.element,
      this.#crumbs,
      this.#main,
      this.#empty,
      this.#details,
    ],
  });
  readonly #area: ContentArea;

  constructor(
    private readonly host: Host<HostRequests, FlameViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#ranks = new RankSelector(this.host, {
      section: 'ranges',
      looked: () => this.#asked && {query: this.#asked, path: this.#zoomedPath()},
      fail: text => {
        this.#tell(text);
        // The details are hidden with the picture.
        if (this.#details.hidden) this.#empty.textContent = text;
      },
    });
    this.#title.after(this.#ranks.element);
    this.#area = new ContentArea(this.host, this.#view, {
      show: profile => void this.#open(profile),
      clear: () => {
        this.#asked = this.#shown = null;
        this.#ranks.closed();
      },
    });
  }

  start(): void {
    this.#stage.append(this.#keys.element);
    this.#view.hidden = true;
    this.body.append(this.#view);
    bindKeys(this.#canvas, this.#flame, searchAndHelp(this.#search, this.#keys));
    this.host.serve({
      'view/content': content => {
        this.#area.update(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
      'range/show': ({range, window}) => {
        if (this.#shown) this.#ask(queryOfRange(this.#asked ?? this.#firstQuery(this.#shown), range, window));
        return undefined;
      },
      'flame/show': wanted => {
        if (this.#shown) this.#ask(queryOfSelection(this.#asked ?? this.#firstQuery(this.#shown), wanted));
        return undefined;
      },
    });
    void this.host.ask('view/ready', undefined);
  }

  #tell(text: string): void {
    this.#details.textContent = text;
    this.#details.title = text;
  }

  /** Makes the table beside the picture follow the focused block. */
  #followCallers(): void {
    const {graph, focusedNode} = this.#flame;
    if (graph && this.#asked) this.#callers.follow(this.#asked, focusedNode > 0 ? flameName(graph, focusedNode) : null);
  }

  /** Shows another picture of the same profile. */
  #ask(query: FlameQuery): void {
    this.#keep(query);
    void this.#show(query);
  }

  /** Stores what was chosen: profiles that open later are shown in the same way. */
  #keep(query: FlameQuery): void {
    storeMembers(this.host, {query});
  }

  /** Stores the picture, so that the same profile is shown as it was after the view was hidden. */
  #keepPicture(query: FlameQuery, path: readonly string[]): void {
    if (this.#shown) storeChoices(this.host, this.#shown.identity, {query, path});
  }

  /**
   * Shows another picture after a change in the bar. If it has the same shape, the block that fills the width stays.
   */
  #change(query: FlameQuery): void {
    // The bar still has the choices of the profile before.
    if (this.#asked === null) return;
    const path = this.#asked.mode === query.mode ? this.#zoomedPath() : [];
    this.#keep(query);
    void this.#show(query, path);
  }

  #zoomedPath(): readonly string[] {
    return this.#flame.graph && this.#flame.zoomedNode > 0 ? flamePath(this.#flame.graph, this.#flame.zoomedNode) : [];
  }

  /** @param path names from the root to the block that will fill the width, as far as they exist */
  async #show(query: FlameQuery, path: readonly string[] = []): Promise<void> {
    if (!this.#shown) return;
    const profile = this.#shown;
    this.#asked = query;
    this.#keepPicture(query, path);
    this.#bar.show(query, profile.modules, this.#choices);
    try {
      const graph = await this.host.ask('flame', {key: profile.key, query});
      if (this.#asked !== query) return;
      this.#showPicture(graph.total > 0);
      this.#empty.textContent = emptyText(query);
      this.#total.textContent = graph.total > 0 ? `100 % = ${formatWeight(graph.total, graph.weight)}` : '';
      this.#notes.show([...profile.info.notes, ...graph.notes.map(text => ({code: 'flame', text}))]);
      this.#flame.show(graph);
      const zoomed = nodeOfPath(graph, path);
      if (zoomed > 0) this.#flame.zoomTo(zoomed);
      this.#search.again();
      if (graph.total > 0) this.#focus.giveBack(this.#canvas);
    } catch (error) {
      if (this.#asked !== query) return;
      this.#showPicture(false);
      this.#empty.textContent = errorText(error);
    }
  }

  #showPicture(isThere: boolean): void {
    this.#main.hidden = this.#crumbs.hidden = this.#details.hidden = !isThere;
    this.#empty.hidden = isThere;
  }

  async #save(format: (typeof pictureFormats)[number]): Promise<void> {
    const seen = this.#flame.view();
    if (!seen || !this.#shown) return;
    try {
      const file = await pictureFile(seen, format, this.#shown.name);
      if (await this.host.ask('file/save', file)) this.#tell(savedText(seen, format, window.devicePixelRatio));
    } catch (error) {
      this.#tell(errorText(error));
    }
  }

  /** Begins with a profile, of which nothing was asked yet. */
  #begin(profile: ProfileView): void {
    this.#focus.keep(this.#view, this.#ranks.element);
    this.#shown = profile;
    this.#asked = null;
    this.#title.textContent = profile.name;
    this.#choices = selectionChoices(profile);
    this.#ranks.opened(profile.key);
    this.#notes.show(profile.info.notes);
    this.#flame.clear();
    this.#callers.clear();
    this.#search.again();
    this.#total.textContent = '';
    this.#showPicture(false);
    this.#empty.replaceChildren(...addingUp(profile.name));
  }

  async #open(profile: ProfileView): Promise<void> {
    this.#begin(profile);
    const from = await this.#ranks.taken();
    // A picture that another view asked for meanwhile stays.
    const isAsked = this.#asked !== null;
    if (this.#shown !== profile || isAsked) return;
    if (!from) {
      const kept = storedPicture(storedChoices(this.host, profile.identity));
      return this.#show(kept?.query ?? this.#firstQuery(profile), kept?.path);
    }
    const query = queryOfRank(from.query, profile.steps);
    await this.#show(query, from.path);
    // This rank has no such range, or no such name.
    if (this.#asked === query && this.#empty.hidden === false) await this.#show(wholeQuery(query), from.path);
  }

  /** Returns the earlier choice; without one, GPU work if there is any. */
  #firstQuery({info}: ProfileView): FlameQuery {
    return storedQuery(storedMembers(this.host)['query']) ?? {weight: info.gpu.workNs > 0 ? 'gpu-work' : 'cpu'};
  }
}

function emptyText({weight, selection = {}, pass = 'all'}: FlameQuery): string {
  const isWhole = (pass === 'all' || isOfThreads(weight)) && Object.keys(narrowing(weight, selection)).length === 0;
  if (!isWhole) return t('Nothing in this selection.');
  if (weight === 'cpu') return t('This profile has no tagged ranges (NVTX or record_function).');
  if (weight === 'bytes') return t('This profile has no copies that tell their size.');
  if (weight === 'memory')
    return t(
      'This profile has no allocations: they are recorded with profile_memory=True, or the setting gpuLens.run.recordMemory.',
    );
  return t('This profile has no GPU work. Choose CPU wall time.');
}
