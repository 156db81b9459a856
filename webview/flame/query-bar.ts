import {
  flameLevels,
  isOfThreads,
  usualLevels,
  type FlameLevel,
  type FlameMode,
  type FlamePass,
  type FlameQuery,
  type FlameWeight,
} from '../../src/core/flame/flame-graph.js';
import type {ModulesShown} from '../../src/core/figures/modules-shown.js';
import type {Selection} from '../../src/core/scope/selection.js';
import {element} from '../shared/dom.js';
import {replaceControls} from '../shared/replace-controls.js';
import {selectionControls, type SelectionChoices} from '../shared/selection-controls.js';
import {t} from '../shared/translate.js';
import {checkbox, dropdown} from '../shared/ui.js';
import {queryWithSelection} from './stored-query.js';

const weights: readonly {readonly value: FlameWeight; readonly text: string}[] = [
  {value: 'gpu-work', text: t('GPU work')},
  {value: 'gpu-busy', text: t('GPU busy')},
  {value: 'cpu', text: t('CPU wall time')},
  {value: 'launches', text: t('Launches')},
  {value: 'bytes', text: t('Bytes copied')},
  {value: 'memory', text: t('Memory allocated')},
];
const modes: readonly {readonly value: FlameMode; readonly text: string}[] = [
  {value: 'merged', text: t('By call path')},
  {value: 'time', text: t('In time order')},
  {value: 'inverted', text: t('Inverted')},
  {value: 'sandwich', text: t('Callers and callees')},
];
const passes: readonly {readonly value: FlamePass; readonly text: string}[] = [
  {value: 'all', text: t('Forward and backward')},
  {value: 'forward', text: t('Forward')},
  {value: 'backward', text: t('Backward')},
];
const levelTexts: Readonly<Record<FlameLevel, string>> = {
  ranges: t('Ranges'),
  modules: t('Modules'),
  operators: t('Operators'),
  operations: t('GPU operations'),
};

/** The controls that choose what the flame graph shows. */
export class QueryBar {
  readonly element = element('div', {
    className: 'bar query',
    attributes: {role: 'toolbar', 'aria-label': t('Flame graph')},
  });

  constructor(private readonly onChange: (query: FlameQuery) => void) {}

  /** @param modules whether the profile has modules, and shows them by default */
  show(query: FlameQuery, modules: ModulesShown, choices: SelectionChoices): void {
    const {weight, mode = 'merged', pass = 'all', levels = usualLevels(modules), selection = {}} = query;
    const {isFolded = levels.includes('modules')} = query;
    const change = (part: Partial<FlameQuery>) => this.onChange({...query, ...part});
    replaceControls(this.element, [
      dropdown(t('Width of the blocks'), weights, weight, value => change({weight: value})),
      dropdown(t('How blocks are put together'), modes, mode, value => change({mode: value})),
      ...(isOfThreads(weight) ? [] : [dropdown(t('Work that counts'), passes, pass, value => change({pass: value}))]),
      ...narrowingControls(weight, selection, choices, chosen => this.onChange(queryWithSelection(query, chosen))),
      ...flameLevels
        .filter(level => level !== (isOfThreads(weight) ? 'operations' : null))
        .filter(level => level !== 'modules' || modules !== 'none')
        .map(level =>
          checkbox(levelTexts[level], levels.includes(level), isOn =>
            change({levels: flameLevels.filter(other => (other === level ? isOn : levels.includes(other)))}),
          ),
        ),
      ...(mode === 'time' ? [] : [checkbox(t('Fold layers'), isFolded, isOn => change({isFolded: isOn}))]),
    ]);
  }
}

/**
 * Returns the controls of a selection. Devices do not narrow the work of threads: the chosen device is kept, but not
 * shown.
 */
function narrowingControls(
  weight: FlameWeight,
  selection: Selection,
  choices: SelectionChoices,
  onChange: (selection: Selection) => void,
): HTMLElement[] {
  const {device, ...others} = selection;
  if (weight !== 'cpu') return selectionControls(selection, choices, onChange);
  return selectionControls(others, {...choices, devices: []}, chosen => {
    onChange(device === undefined ? chosen : {...chosen, device});
  });
}
