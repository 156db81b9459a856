import './timeline.css';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {noLineOpens} from '../../src/core/source/no-line.js';
import type {HostRequests, ProfileView, TimelineViewRequests} from '../../src/protocol/view-messages.js';
import {ContentArea} from '../shared/content.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {iconButton, label} from '../shared/ui.js';
import {AreaPanel} from './area-panel.js';
import {AreaScope} from './area-scope.js';
import {DetailsPanel} from './details-panel.js';
import {DetailsSize} from './details-size.js';
import {HelpPanel} from './help-panel.js';
import type {TimelinePlace} from './picture.js';
import {ReaderTable} from './reader-table.js';
import {SearchBar} from './search-bar.js';
import {fromStored, toStored} from './stored-layout.js';
import {viewOf, withView} from './stored-views.js';
import {Timeline} from './timeline.js';
import {uncoveredText} from './uncovered-text.js';

const storeDelayMs = 200;
/** The window's edges are told to a thousandth of its width. */
const windowDigits = 1000;

const host = connectHost<HostRequests, TimelineViewRequests>();
let shown: ProfileView | null = null;
let storeTimer: ReturnType<typeof setTimeout> | undefined;
let storedText = '';
let isArranged = false;
/** Where the search began: Escape comes back to it. */
let searchedFrom: TimelinePlace | null = null;

const title = element('button', {
  className: 'title',
  attributes: {type: 'button', 'aria-haspopup': 'listbox'},
});
title.addEventListener('click', () => void host.ask('view/command', {command: 'switch-profile'}));
const figures = element('span', {className: 'muted'});
const inSight = element('span', {className: 'muted', attributes: {'data-testid': 'window'}});
const canvas = element('canvas', {
  attributes: {tabindex: '0', role: 'application', 'aria-label': 'Timeline. Press ? for its keys.'},
});
const filter = element('input', {
  className: 'text-input filter',
  attributes: {type: 'text', placeholder: 'Filter tracks', 'aria-label': 'Filter tracks'},
});
filter.addEventListener('input', () => timeline.filter(filter.value));
filter.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  filter.value = '';
  timeline.filter('');
  canvas.focus();
});

const notes = new NotesList();
const details = new DetailsPanel({
  goTo: slice => void goTo(slice),
  goToSource: name => void goToSource(name),
  showFlame: range => void showFlame(range),
  searchSame: name => search.searchSame(name),
});
const detailsSize = new DetailsSize(details.element, host.restore(), () => storeSoon());
const area = new AreaPanel(host, () => timeline.markWindow(null));
const scope = new AreaScope(host, window => timeline.markWindow(window));
const help = new HelpPanel(() => canvas.focus());
const search = new SearchBar(host, {
  key: () => shown?.key ?? -1,
  from: () => ({slice: timeline.selection.chosen, fromNs: timeline.window.fromNs}),
  opened: () => (searchedFrom ??= timeline.place),
  show: hit => (searchedFrom ? timeline.goToFrom(searchedFrom, hit) : timeline.goTo(hit)),
  closed: isLeft => {
    if (isLeft && searchedFrom) timeline.backTo(searchedFrom);
    searchedFrom = null;
    canvas.focus();
  },
  goToStep: number => timeline.goToStep(number),
});
const focusedRow = element('div', {
  className: 'only-read',
  attributes: {'aria-live': 'polite', 'data-testid': 'focused-row'},
});
const uncovered = element('span', {
  className: 'muted',
  attributes: {'aria-live': 'polite', 'data-testid': 'uncovered'},
});
const reader = new ReaderTable(track => timeline.trackName(track));
const bar = element('div', {
  className: 'bar',
  children: [
    title,
    figures,
    scope.chip,
    element('span', {className: 'spring'}),
    search.element,
    uncovered,
    inSight,
    filter,
  ],
});
const stage = element('div', {className: 'stage', children: [canvas, help.element]});
const view = element('div', {
  className: 'view',
  children: [
    bar,
    notes.element,
    element('div', {className: 'split', children: [stage, search.list.element, area.element]}),
    detailsSize.element,
    details.element,
    focusedRow,
    reader.element,
  ],
});
view.hidden = true;
document.body.append(view);

const colorButton = iconButton('symbol-color', 'Colour (C)', () => timeline.recolor());
const timeline = new Timeline(host, canvas, {
  windowChanged({fromNs, toNs}) {
    const spanNs = shown?.info.spanNs ?? 0;
    const text = timeFormatter(spanNs, (toNs - fromNs) / windowDigits);
    inSight.textContent = `${text(Math.max(0, fromNs))} – ${text(Math.min(spanNs, toNs))}`;
  },
  layoutChanged(layout, coloring) {
    uncovered.textContent = '';
    if (filter.value !== layout.filter) filter.value = layout.filter;
    label(colorButton, `Coloured by ${coloring} (C: by the next)`);
    // What is restored need not be stored again.
    if (isArranged) void host.ask('layout/store', {layout: toStored(layout, coloring)});
  },
  selectionChanged(slice, instant, trackName) {
    if (slice) details.showSlice(slice, trackName);
    else if (instant) details.showInstant(instant, trackName);
    else details.clear();
  },
  contextRead(context) {
    const {slice} = timeline.selection;
    if (slice) details.showContext(context, slice);
  },
  argumentsRead: args => details.showArguments(args),
  mergedChosen: text => details.tell(text),
  areaChanged(selection) {
    if (selection && shown) void area.show(shown.key, selection);
    else area.hide();
    scope.marked(selection);
  },
  uncovered: hidBy => (uncovered.textContent = uncoveredText(hidBy)),
  drawn(state, visiblePx) {
    reader.show(state, visiblePx);
    storeSoon();
  },
  rowFocused: text => (focusedRow.textContent = text),
  searchWanted: () => search.open(),
  helpWanted: () => help.toggle(),
  failed: error => details.tell(error instanceof Error ? error.message : String(error)),
});
bar.append(
  iconButton('search', 'Search (/)', () => search.open()),
  colorButton,
  iconButton('zoom-in', 'Zoom in (W)', () => timeline.zoom(0.5)),
  iconButton('zoom-out', 'Zoom out (S)', () => timeline.zoom(2)),
  iconButton('screen-full', 'Fit all (Home)', () => timeline.fitAll()),
  iconButton('flame', 'Show flame graph', () => void host.ask('view/command', {command: 'show-flame'})),
  iconButton('question', 'Keys (?)', () => help.toggle()),
);

const content = new ContentArea(host, view, {
  show(profile) {
    storeNow();
    shown = profile;
    title.textContent = profile.name;
    title.title = `${profile.name}: switch profile`;
    figures.textContent = figuresOf(profile);
    notes.show(profile.info.notes);
    area.hide();
    search.end();
    scope.begin(profile.key);
    const view = viewOf(host.restore(), profile.identity);
    filter.value = view?.filter ?? '';
    uncovered.textContent = '';
    timeline.show(profile, view);
  },
  scoped: window => scope.told(window),
  clear() {
    storeNow();
    shown = null;
  },
});

host.serve({
  'view/content': changed => {
    content.update(changed);
    return undefined;
  },
  'timeline/reveal': target => {
    timeline.reveal(target);
    canvas.focus();
    return undefined;
  },
  'timeline/highlight': ({names}) => {
    timeline.highlight(names);
    return undefined;
  },
  'timeline/search': () => {
    search.open();
    return undefined;
  },
});
void restoreLayout().finally(() => host.ask('view/ready', undefined));

async function restoreLayout(): Promise<void> {
  const {layout, coloring} = fromStored(await host.ask('layout/restore', undefined).catch(() => null));
  timeline.arrange(layout, coloring);
  isArranged = true;
}

async function goTo(slice: number): Promise<void> {
  const found = shown ? await host.ask('slice/details', {key: shown.key, slice}) : null;
  if (found) timeline.follow(found);
  canvas.focus();
}

async function showFlame(range: string): Promise<void> {
  if (shown)
    await host.ask('tables/show', {
      key: shown.key,
      row: {kind: 'range', name: range, selection: {}, stack: {}},
      in: 'flame',
    });
}

async function goToSource(name: string): Promise<void> {
  const isFound = shown ? await host.ask('source/reveal', {key: shown.key, name}) : true;
  if (!isFound) details.tell(noLineOpens(name));
}

/** Busy is what people ask for first: how much of the time did the GPU work? */
function figuresOf({info}: ProfileView): string {
  const {gpu, spanNs, devices} = info;
  const over = devices.length > 1 ? ` over ${String(devices.length)} GPUs` : '';
  if (gpu.workNs === 0) return `${formatDuration(spanNs)} · no GPU work`;
  return `${formatDuration(spanNs)} · GPU busy ${formatDuration(gpu.busyNs)}${over}, idle ${formatPercent(gpu.idleNs, gpu.spanNs)}`;
}

// VS Code may hide the view next, and throws its page away: what is looked at now must not be lost.
window.addEventListener('blur', storeNow);

/** Keeps how the profile is looked at once that rests; pictures are drawn for other reasons, too. */
function storeSoon(): void {
  storeTimer ??= setTimeout(storeNow, storeDelayMs);
}

function storeNow(): void {
  clearTimeout(storeTimer);
  storeTimer = undefined;
  if (!shown) return;
  const view = timeline.view;
  const text = JSON.stringify([shown.identity, view, detailsSize.stored]);
  if (text === storedText) return;
  storedText = text;
  host.store({...withView(host.restore(), shown.identity, view), ...detailsSize.stored});
}
