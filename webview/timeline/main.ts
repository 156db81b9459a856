import './timeline.css';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import type {TimeWindow} from '../../src/core/layout/time-window.js';
import type {ProfileView} from '../../src/protocol/view-messages.js';
import {ContentArea} from '../shared/content.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {iconButton} from '../shared/ui.js';
import {startText, Timeline} from './timeline.js';

/** What is kept while the view is hidden, for the profile with this identity. */
interface StoredState {
  readonly identity: string;
  readonly window: TimeWindow;
  readonly scrollPx: number;
}

const storeDelayMs = 200;
/** The window's edges are told to a thousandth of its width. */
const windowDigits = 1000;
const keysHelp =
  'W/S zoom · A/D pan · Ctrl+wheel zoom · wheel scroll · Shift+wheel or Shift+drag pan · F fit selection · Home fit all · Esc clear';

const host = connectHost();
const title = element('span', {className: 'title'});
const figures = element('span', {className: 'muted'});
const inSight = element('span', {className: 'muted', attributes: {'data-testid': 'window'}});
const canvas = element('canvas', {
  attributes: {tabindex: '0', role: 'img', 'aria-label': `Timeline. ${keysHelp}`, title: ''},
});
const details = element('div', {className: 'details', attributes: {'aria-live': 'polite', 'data-testid': 'selection'}});
const moreDetails = element('div', {
  className: 'details muted',
  attributes: {'aria-live': 'polite', 'data-testid': 'arguments'},
});
moreDetails.hidden = true;
const notes = new NotesList();
const bar = element('div', {
  className: 'bar',
  children: [title, figures, element('span', {className: 'spring'}), inSight],
});
const view = element('div', {
  className: 'view',
  children: [bar, notes.element, element('div', {className: 'stage', children: [canvas]}), details, moreDetails],
});
view.hidden = true;
document.body.append(view);

let shown: ProfileView | null = null;
let storeTimer: ReturnType<typeof setTimeout> | undefined;
const noSelection = keysHelp;

const timeline = new Timeline(host, canvas, {
  windowChanged({fromNs, toNs}) {
    const spanNs = shown?.info.spanNs ?? 0;
    const text = timeFormatter(spanNs, (toNs - fromNs) / windowDigits);
    inSight.textContent = `${text(Math.max(0, fromNs))} – ${text(Math.min(spanNs, toNs))}`;
    storeSoon();
  },
  selectionChanged(selected, trackName) {
    moreDetails.hidden = true;
    details.classList.toggle('muted', selected === null);
    details.textContent = selected
      ? `${selected.name} · start ${startText(selected)} · duration ${formatDuration(selected.durationNs)} · ${trackName}`
      : noSelection;
    details.title = details.textContent;
  },
  argumentsRead(args) {
    const text = args.map(({name, value}) => `${name} ${value}`.trim()).join(' · ');
    moreDetails.hidden = text === '';
    moreDetails.textContent = text;
    moreDetails.title = args.map(({name, value}) => `${name}: ${value}`).join('\n');
  },
  failed(error) {
    details.textContent = error instanceof Error ? error.message : String(error);
  },
});
bar.append(
  iconButton('zoom-in', 'Zoom in (W)', () => timeline.zoom(0.5)),
  iconButton('zoom-out', 'Zoom out (S)', () => timeline.zoom(2)),
  iconButton('screen-full', 'Fit all (Home)', () => timeline.fitAll()),
  iconButton('flame', 'Show flame graph', () => void host.ask('view/command', {command: 'show-flame'})),
);

const area = new ContentArea(host, view, {
  show(profile) {
    shown = profile;
    title.textContent = profile.name;
    title.title = profile.name;
    figures.textContent = figuresOf(profile);
    notes.show(profile.info.notes);
    timeline.show(profile, restore(profile.identity));
  },
  clear() {
    shown = null;
  },
});

host.serve({
  'view/content': content => {
    area.update(content);
    return undefined;
  },
  'timeline/reveal': target => {
    timeline.reveal(target);
    canvas.focus();
    return undefined;
  },
});
void host.ask('view/ready', undefined);

/** Busy is what people ask for first: how much of the time did the GPU work? */
function figuresOf({info}: ProfileView): string {
  const {gpu, spanNs, devices} = info;
  const over = devices.length > 1 ? ` over ${String(devices.length)} GPUs` : '';
  if (gpu.workNs === 0) return `${formatDuration(spanNs)} · no GPU work`;
  return `${formatDuration(spanNs)} · GPU busy ${formatDuration(gpu.busyNs)}${over}, idle ${formatPercent(gpu.idleNs, gpu.spanNs)}`;
}

function storeSoon(): void {
  clearTimeout(storeTimer);
  storeTimer = setTimeout(() => {
    if (!shown) return;
    const state: StoredState = {identity: shown.identity, window: timeline.window, scrollPx: timeline.scrollPx};
    host.store(state);
  }, storeDelayMs);
}

/** The stored state where it is of this profile; whatever else is there is of no use. */
function restore(identity: string): StoredState | null {
  const state = host.restore() as Partial<StoredState> | null | undefined;
  return state?.identity === identity && state.window !== undefined && typeof state.scrollPx === 'number'
    ? {identity, window: state.window, scrollPx: state.scrollPx}
    : null;
}
