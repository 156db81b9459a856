import './roofline.css';
import {rooflineGroupings, type RooflineGrouping} from '../../src/core/roofline/roofline-points.js';
import {modelPreset, modelPresets} from '../../src/core/estimate/model-presets.js';
import {systemPreset, systemPresets} from '../../src/core/estimate/system-presets.js';
import {formatPercent} from '../../src/core/format/duration.js';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import type {RooflineAnswer} from '../../src/core/questions/roofline.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {ProfileView} from '../../src/protocol/view-messages.js';
import {ContentArea} from '../shared/content.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {NotesList} from '../shared/notes.js';
import {TabBar} from '../shared/tab-bar.js';
import {selectionChoices, selectionControls} from '../shared/selection-controls.js';
import {onThemeChange} from '../shared/theme.js';
import {button, iconButton} from '../shared/ui.js';
import {layerColumns, markColumns, stepColumns} from './columns.js';
import {Select} from './controls.js';
import {EstimatePanel} from './estimate-panel.js';
import {storedState} from './estimate-state.js';
import {plainTable, tableText} from '../shared/plain-table.js';
import {markLines, RooflineChart} from './roofline-chart.js';

const tabs = [
  {id: 'roofline', title: 'Roofline', about: 'Operations a second by operations a byte, under the GPU’s roofs'},
  {id: 'layers', title: 'Layers', about: 'Layers of a model, predicted and measured'},
  {id: 'steps', title: 'Steps', about: 'Model FLOPs utilisation of each step'},
  {id: 'estimate', title: 'Estimate', about: 'What a Transformer costs, without a profile'},
] as const;
type TabId = (typeof tabs)[number]['id'];

const groupingTexts: Readonly<Record<RooflineGrouping, string>> = {
  shape: 'operators by shape',
  operator: 'operators',
  range: 'ranges',
  class: 'kernel classes',
};

const host = connectHost();
const kept = (host.restore() ?? {}) as Readonly<Record<string, unknown>>;
let profile: ProfileView | null = null;
let answer: RooflineAnswer | null = null;
let tab: TabId = 'roofline';
/** The part of the profile that all figures are of. */
let selection: Selection = {};
/** What was asked for last: an answer to an earlier question is not shown. */
let asked: object | null = null;

const by = new Select(
  'Points',
  [...rooflineGroupings].map(value => ({value, text: groupingTexts[value]})),
  () => void refresh(),
);
by.value = 'shape';
const system = new Select('Roofs', [], () => void refresh());
const model = new Select('Model', [], () => void refresh());
const part = element('span', {className: 'part', attributes: {role: 'group', 'aria-label': 'Part of the profile'}});
const told = element('span', {className: 'muted', attributes: {'data-testid': 'coverage', 'aria-live': 'polite'}});
const details = element('div', {className: 'details', attributes: {'aria-live': 'polite', 'data-testid': 'selection'}});
const chart = new RooflineChart({
  focused: mark => {
    details.textContent = mark ? [mark.name, ...markLines(mark)].join(' · ') : '';
  },
  open: mark => void openSource(mark),
});
const notes = new NotesList();
const table = element('div', {className: 'tables'});
const message = element('div', {className: 'message muted', attributes: {'aria-live': 'polite'}});
const view = element('div', {
  className: 'view',
  children: [
    element('div', {
      className: 'bar',
      children: [by.element, model.element, system.element, part, told],
    }),
    notes.element,
    chart.element,
    message,
    table,
    details,
  ],
});
const panel = new EstimatePanel(storedState(kept['estimate']), state => {
  store({estimate: state});
});
const said = element('span', {className: 'muted', attributes: {'aria-live': 'polite'}});
const tabBar = new TabBar(
  'Roofline and estimate',
  id => (id === 'estimate' ? panel.element : view),
  id => {
    const chosen = tabs.find(candidate => candidate.id === id);
    if (chosen) choose(chosen.id);
  },
);
tabBar.show(tabs);
const exports = [
  iconButton(
    'file-media',
    'Save as SVG',
    () => void savePicture().catch((error: unknown) => tellInHead(errorText(error))),
  ),
  button('Copy as Markdown', () => copy('markdown'), 'icon'),
  button('Copy as CSV', () => copy('csv'), 'icon'),
];
view.hidden = true;
document.body.append(
  element('div', {
    className: 'head',
    children: [tabBar.element, element('span', {className: 'spring'}), said, ...exports],
  }),
  panel.element,
  view,
);

function store(changes: Readonly<Record<string, unknown>>): void {
  Object.assign(kept, changes);
  host.store(kept);
}

function choose(chosen: TabId): void {
  tab = chosen;
  said.textContent = '';
  tabBar.select(chosen);
  store({tab: chosen});
  // The estimate needs no profile: it stands in the place of whatever is said of one.
  document.body.classList.toggle('estimating', chosen === 'estimate');
  if (chosen === 'estimate') panel.update();
  else showAnswer();
}

async function refresh(): Promise<void> {
  const shown = profile;
  if (!shown) return;
  const question = {};
  asked = question;
  try {
    const query = {
      by: rooflineGroupings.find(grouping => grouping === by.value) ?? 'shape',
      system: system.value === '' ? null : system.value,
      model: modelPreset(model.value)?.shape ?? null,
      selection,
    };
    const given = await host.ask('roofline', {key: shown.key, query});
    if (asked !== question) return;
    answer = given;
    offerChoices(given);
    panel.calibrate(hasMeasured(given) ? given.calibration : null);
    showAnswer();
  } catch (error) {
    if (asked !== question) return;
    answer = null;
    tell(errorText(error));
  }
}

/** Another part of the same profile. */
function select(chosen: Selection): void {
  selection = chosen;
  showSelection();
  void refresh();
}

function showSelection(): void {
  if (profile) part.replaceChildren(...selectionControls(selection, selectionChoices(profile), select));
}

function hasMeasured({calibration: {matrixFlopsPerSecond, hbmBytesPerSecond, measured}}: RooflineAnswer): boolean {
  return Object.keys(matrixFlopsPerSecond).length > 0 || hbmBytesPerSecond !== null || measured.length > 0;
}

function offerChoices({deviceName, systemId, isAssumed, matchingModels}: RooflineAnswer): void {
  const own = system.value === '' ? systemId : null;
  const ofProfile = own === null ? 'the profile’s GPU' : `${own}${isAssumed ? ', 40 GB assumed' : ''}`;
  system.offer([
    {value: '', text: deviceName === null ? 'GPU not named: choose' : `${ofProfile} (${deviceName})`},
    ...systemPresets.map(({id}) => ({value: id, text: id})),
  ]);
  const matches = new Set(matchingModels);
  const order = [...modelPresets].sort((a, b) => Number(matches.has(b.id)) - Number(matches.has(a.id)));
  model.offer([
    {value: '', text: 'no model'},
    ...order.map(({id}) => ({value: id, text: matches.has(id) ? `${id} (its shapes are here)` : id})),
  ]);
}

function showAnswer(): void {
  if (!answer || tab === 'estimate') return;
  by.element.hidden = tab !== 'roofline';
  model.element.hidden = tab === 'steps';
  chart.element.hidden = tab !== 'roofline' || answer.marks.length === 0;
  details.hidden = chart.element.hidden;
  told.textContent = coverage(answer);
  const rows = plain();
  table.replaceChildren(rows.element);
  table.hidden = rows.count === 0;
  message.hidden = rows.count > 0;
  message.textContent = rows.count > 0 ? '' : emptyText(answer);
  if (tab === 'roofline') chart.show(answer.marks, systemPreset(answer.systemId ?? '')?.system ?? null);
}

/** The table of the tab, and the same as text. */
function plain(): {element: HTMLElement; count: number; text: (format: 'csv' | 'markdown') => string} {
  const {marks = [], comparisons = [], steps = []} = answer ?? {};
  switch (tab) {
    case 'layers':
      return {
        element: plainTable('Layers', layerColumns, comparisons),
        count: comparisons.length,
        text: format => tableText(layerColumns, comparisons, format),
      };
    case 'steps':
      return {
        element: plainTable('Steps', stepColumns, steps),
        count: steps.length,
        text: format => tableText(stepColumns, steps, format),
      };
    default:
      return {
        element: plainTable('Points', markColumns, marks, mark => void openSource(mark)),
        count: marks.length,
        text: format => tableText(markColumns, marks, format),
      };
  }
}

function coverage({knownGpuWorkNs, allGpuWorkNs, systemId}: RooflineAnswer): string {
  const known = `${formatPercent(knownGpuWorkNs, allGpuWorkNs)} of GPU work has shapes that tell its cost`;
  const formula = 'MFU = Σ (FLOP of products ÷ peak of their precision) ÷ (duration × GPUs)';
  const roofs = systemId === null ? ' · no roofs: choose a system' : '';
  return tab === 'steps' ? `${formula} · ${known}${roofs}` : `${known}${roofs}`;
}

function emptyText({hasShapes, steps}: RooflineAnswer): string {
  if (tab === 'layers' && model.value === '') return 'Choose a model: its layers are found by their shapes.';
  if (hasShapes && Object.keys(selection).length > 0) return 'Nothing in this selection has shapes that tell its cost.';
  if (!hasShapes)
    return 'This profile has no shapes of operators. Record one with shapes (record_shapes=True), or name ranges like the model’s layers, choose a model, and show ranges.';
  if (tab === 'layers') return 'No operator of this profile has the shapes of this model’s layers.';
  if (tab === 'steps' && steps.length === 0) return 'This profile has no steps with products.';
  return 'No operator with GPU work has shapes that tell its cost.';
}

function tell(text: string): void {
  chart.element.hidden = table.hidden = details.hidden = true;
  message.hidden = false;
  message.textContent = text;
}

/** The line that opened the range, or the Python frame, around the work; the work in the timeline where none is known. */
async function openSource({place, slice, name}: RooflineMark): Promise<void> {
  if (!profile) return;
  const {key} = profile;
  const isOpened = place !== null && (await host.ask('source/reveal', {key, name: place}));
  if (isOpened || slice < 0) return;
  const found = await host.ask('slice/details', {key, slice});
  if (!found) return;
  const {startNs, durationNs} = found;
  await host.ask('timeline/show', {slice, fromNs: startNs, toNs: startNs + durationNs, names: [name]});
}

async function savePicture(): Promise<void> {
  const content = tab === 'estimate' ? panel.picture() : chart.picture();
  if (content !== null)
    await host.ask('file/save', {name: `${tab === 'estimate' ? 'estimate' : 'roofline'}.svg`, content});
}

function copy(format: 'csv' | 'markdown'): void {
  const text = tab === 'estimate' ? panel.text(format) : plain().text(format);
  if (text !== null) tellCopied(host.ask('clipboard/write', {text}), 'The table', tellInHead);
}

function tellInHead(text: string): void {
  said.textContent = text;
}

const area = new ContentArea(host, view, {
  show(opened) {
    const isNew = profile?.key !== opened.key;
    profile = opened;
    notes.show(opened.info.notes);
    if (isNew) select({});
  },
  clear() {
    profile = answer = asked = null;
    panel.calibrate(null);
  },
});

onThemeChange(() => {
  chart.draw();
  panel.update();
});
host.serve({
  'view/content': content => {
    area.update(content);
    return undefined;
  },
});
choose(tabs.find(({id}) => id === kept['tab'])?.id ?? 'roofline');
void host.ask('view/ready', undefined);
