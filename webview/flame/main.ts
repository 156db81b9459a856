import './flame.css';
import {formatDuration} from '../../src/core/format/duration.js';
import type {FlameWeight} from '../../src/core/queries/flame.js';
import type {ProfileView} from '../../src/protocol/view-messages.js';
import {ContentArea} from '../shared/content.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {button, dropdown} from '../shared/ui.js';
import {Flame} from './flame.js';

const weights: readonly {readonly value: FlameWeight; readonly text: string}[] = [
  {value: 'gpu-work', text: 'GPU work'},
  {value: 'cpu', text: 'CPU wall time'},
];

const host = connectHost();
const title = element('span', {className: 'title'});
const total = element('span', {className: 'muted'});
const chooser = element('span');
const crumbs = element('div', {
  className: 'crumbs',
  attributes: {role: 'navigation', 'aria-label': 'Path of the shown block'},
});
const canvas = element('canvas', {
  attributes: {
    tabindex: '0',
    role: 'img',
    'aria-label': 'Flame graph. Arrow keys move, Enter zooms, Escape goes back.',
  },
});
const details = element('div', {className: 'details', attributes: {'aria-live': 'polite', 'data-testid': 'selection'}});
const empty = element('div', {className: 'message muted'});
const stage = element('div', {className: 'stage', children: [canvas]});
const notes = new NotesList();
const view = element('div', {
  className: 'view',
  children: [
    element('div', {className: 'bar', children: [title, chooser, total]}),
    notes.element,
    crumbs,
    stage,
    empty,
    details,
  ],
});
view.hidden = true;
document.body.append(view);

/** What was asked for last: an answer to an earlier question is not shown. */
let asked: object | null = null;

const flame = new Flame(canvas, {
  zoomed(path) {
    crumbs.replaceChildren(
      ...path.map(({block, name}) => {
        const crumb = button(name, () => flame.zoomTo(block), 'icon');
        crumb.title = `Zoom to ${name}`;
        return crumb;
      }),
    );
  },
  focused(text) {
    details.textContent = text;
    details.title = text;
  },
});

async function show(profile: ProfileView, weight: FlameWeight): Promise<void> {
  const question = {};
  asked = question;
  title.textContent = profile.name;
  notes.show(profile.info.notes);
  chooser.replaceChildren(
    dropdown('Width of the blocks', weights, weight, chosen => {
      host.store({weight: chosen});
      void show(profile, chosen);
    }),
  );
  try {
    const graph = await host.ask('flame', {key: profile.key, weight});
    if (asked !== question) return;
    const isEmpty = graph.totalNs === 0;
    stage.hidden = crumbs.hidden = details.hidden = isEmpty;
    empty.hidden = !isEmpty;
    empty.textContent =
      weight === 'cpu'
        ? 'This profile has no tagged ranges (NVTX or record_function).'
        : 'This profile has no GPU work. Choose CPU wall time.';
    total.textContent = isEmpty ? '' : `100 % = ${formatDuration(graph.totalNs)}`;
    flame.show(graph);
  } catch (error) {
    if (asked !== question) return;
    stage.hidden = crumbs.hidden = details.hidden = true;
    empty.hidden = false;
    empty.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** The stored choice; without one, GPU work where there is any. */
function firstWeight({info}: ProfileView): FlameWeight {
  const stored = host.restore() as {weight?: unknown} | null | undefined;
  const choice = weights.find(({value}) => value === stored?.weight);
  if (choice) return choice.value;
  return info.gpu.workNs > 0 ? 'gpu-work' : 'cpu';
}

const area = new ContentArea(host, view, {
  show: profile => void show(profile, firstWeight(profile)),
  clear() {
    asked = null;
  },
});

host.serve({
  'view/content': content => {
    area.update(content);
    return undefined;
  },
  'timeline/reveal': () => undefined,
  'timeline/highlight': () => undefined,
  'timeline/search': () => undefined,
});
void host.ask('view/ready', undefined);
