import {parseTimeWindow} from '../../src/core/format/time-window-text.js';
import {
  flameLevels,
  type FlameLevel,
  type FlameMode,
  type FlamePass,
  type FlameQuery,
  type FlameWeight,
} from '../../src/core/flame/flame-graph.js';
import type {Selection} from '../../src/core/queries/selection.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {element} from '../shared/dom.js';
import {dropdown} from '../shared/ui.js';

const weights: readonly {readonly value: FlameWeight; readonly text: string}[] = [
  {value: 'gpu-work', text: 'GPU work'},
  {value: 'gpu-busy', text: 'GPU busy'},
  {value: 'cpu', text: 'CPU wall time'},
  {value: 'launches', text: 'Launches'},
  {value: 'bytes', text: 'Bytes copied'},
];
const modes: readonly {readonly value: FlameMode; readonly text: string}[] = [
  {value: 'merged', text: 'By call path'},
  {value: 'time', text: 'In time order'},
  {value: 'inverted', text: 'Inverted'},
  {value: 'sandwich', text: 'Callers and callees'},
];
const passes: readonly {readonly value: FlamePass; readonly text: string}[] = [
  {value: 'all', text: 'Forward and backward'},
  {value: 'forward', text: 'Forward'},
  {value: 'backward', text: 'Backward'},
];
const levelTexts: Readonly<Record<FlameLevel, string>> = {
  ranges: 'Ranges',
  operators: 'Operators',
  operations: 'Kernels',
};

/** Stands for no choice: an empty value would be replaced by its text. */
const whole = 'whole';

/** What a profile offers to choose from. */
export interface QueryChoices {
  readonly devices: readonly number[];
  readonly steps: readonly number[];
}

/** The controls that say what the flame graph is of. */
export class QueryBar {
  readonly element = element('div', {
    className: 'bar query',
    attributes: {role: 'toolbar', 'aria-label': 'Flame graph'},
  });

  constructor(private readonly onChange: (query: FlameQuery) => void) {}

  show(query: FlameQuery, {devices, steps}: QueryChoices): void {
    const {weight, mode = 'merged', pass = 'all', levels = flameLevels, isFolded = false, selection = {}} = query;
    const change = (part: Partial<FlameQuery>) => this.onChange({...query, ...part});
    const select = (part: Partial<Selection>) => change({selection: {...selection, ...part}});
    const chooser = (
      label: string,
      noun: string,
      all: string,
      numbers: readonly number[],
      member: 'device' | 'step',
    ) =>
      numbers.length < 2 && selection[member] === undefined
        ? []
        : [
            dropdown(
              label,
              [
                {value: whole, text: all},
                ...numbers.map(number => ({value: String(number), text: `${noun} ${String(number)}`})),
              ],
              selection[member] === undefined ? whole : String(selection[member]),
              value =>
                this.onChange({
                  ...query,
                  selection: withMember(selection, member, value === whole ? undefined : Number(value)),
                }),
            ),
          ];
    this.element.replaceChildren(
      dropdown('Width of the blocks', weights, weight, value => change({weight: value})),
      dropdown('How blocks are put together', modes, mode, value => change({mode: value})),
      ...(weight === 'cpu' ? [] : [dropdown('Work that counts', passes, pass, value => change({pass: value}))]),
      ...chooser('Step', 'Step', 'All steps', steps, 'step'),
      ...chooser('Device', 'GPU', 'All GPUs', devices, 'device'),
      windowField(selection, select, () =>
        this.onChange({...query, selection: withMember(withMember(selection, 'fromNs', undefined), 'toNs', undefined)}),
      ),
      ...(selection.range === undefined
        ? []
        : [
            chip(`Range ${selection.range}`, () =>
              this.onChange({...query, selection: withMember(selection, 'range', undefined)}),
            ),
          ]),
      ...flameLevels
        .filter(level => weight !== 'cpu' || level !== 'operations')
        .map(level =>
          checkbox(levelTexts[level], levels.includes(level), isOn =>
            change({levels: flameLevels.filter(other => (other === level ? isOn : levels.includes(other)))}),
          ),
        ),
      ...(mode === 'time' ? [] : [checkbox('Fold layers', isFolded, isOn => change({isFolded: isOn}))]),
    );
  }
}

/** Members that are undefined count as set in the type, so that one must be left out. */
function withMember<K extends keyof Selection>(selection: Selection, member: K, value: Selection[K]): Selection {
  const rest = Object.fromEntries(Object.entries(selection).filter(([key]) => key !== member));
  return value === undefined ? rest : {...rest, [member]: value};
}

function windowField(
  {fromNs, toNs}: Selection,
  select: (part: Partial<Selection>) => void,
  clear: () => void,
): HTMLElement {
  if (fromNs !== undefined || toNs !== undefined) {
    return chip(`${formatDuration(fromNs ?? 0)} – ${toNs === undefined ? 'end' : formatDuration(toNs)}`, clear);
  }
  const input = element('input', {
    className: 'field',
    attributes: {type: 'text', placeholder: 'Time, e.g. 10–20 ms', 'aria-label': 'Time window', size: '16'},
  });
  input.addEventListener('change', () => {
    const window = parseTimeWindow(input.value);
    input.setAttribute('aria-invalid', String(window === null && input.value.trim() !== ''));
    if (window) select(window);
  });
  return input;
}

/** A part of the selection that can be taken away. */
function chip(text: string, remove: () => void): HTMLElement {
  const created = element('button', {className: 'chip', text: `${text} ✕`, attributes: {title: `Remove: ${text}`}});
  created.addEventListener('click', remove);
  return created;
}

function checkbox(label: string, isOn: boolean, onChange: (isOn: boolean) => void): HTMLElement {
  const input = element('input', {attributes: {type: 'checkbox'}});
  input.checked = isOn;
  input.addEventListener('change', () => onChange(input.checked));
  return element('label', {className: 'check', children: [input, element('span', {text: label})]});
}
