import type {RangeStack, StackKind} from '../../src/core/attribution/range-stack.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {TableChoices} from '../../src/core/tabs/table-tabs.js';
import {element} from '../shared/dom.js';
import {stepChoices} from '../shared/step-choices.js';
import {t} from '../shared/translate.js';
import {checkbox, type Checkbox, type Choice} from '../shared/ui.js';
import {ChoiceList} from '../shared/choice-list.js';
import {StackControls} from './stack-controls.js';

/** The user's choices in the bar. */
export interface BarState {
  readonly text: string;
  readonly isRegex: boolean;
  readonly selection: Selection;
  readonly stack: RangeStack;
}

/** Choices among those that a profile offers. */
export type OfferedChoices = Pick<BarState, 'selection' | 'stack'>;

const filterAfterMs = 150;

/** The bar with the filter and the choices that narrow the tables. */
export class Toolbar {
  readonly element = element('div', {className: 'bar', attributes: {role: 'toolbar', 'aria-label': t('Filter')}});
  readonly #text = element('input', {
    attributes: {type: 'search', placeholder: t('Filter names'), 'aria-label': t('Filter names'), size: '24'},
  });
  readonly #regex: Checkbox;
  readonly #range = element('input', {
    attributes: {type: 'search', placeholder: t('Range'), 'aria-label': t('Only work of this range'), size: '20'},
  });
  readonly #process: ChoiceList;
  readonly #thread: ChoiceList;
  readonly #device: ChoiceList;
  readonly #step: ChoiceList;
  readonly #stack: StackControls;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    const list = (label: string) => new ChoiceList(label, onChange);
    this.#process = list(t('Process'));
    this.#thread = list(t('Thread'));
    this.#device = list(t('Device'));
    this.#step = list(t('Step'));
    this.#stack = new StackControls(onChange);
    this.#regex = checkbox(t('Regex'), false, onChange);
    const lists = [this.#process, this.#thread, this.#device, this.#step].map(({element: shown}) => shown);
    this.element.append(this.#text, this.#regex, this.#range, ...lists, this.#stack.element);
    this.#text.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(onChange, filterAfterMs);
    });
    this.#range.addEventListener('change', onChange);
  }

  /**
   * Shows the bar of a profile. The ranks of a job have the same ranges; any other profile has its own.
   *
   * @param stayed the choices of another rank, which this one replaces
   * @param kept what was chosen for this profile before
   */
  open(choices: TableChoices, isText: boolean, stayed: OfferedChoices | null, kept: BarState | null): void {
    this.#offer(choices, stayed ?? kept ?? {selection: {}, stack: {}});
    this.#range.hidden = isText;
    if (stayed) return;
    this.#range.value = kept?.selection.range ?? '';
    if (!kept) return;
    this.#text.value = kept.text;
    this.#regex.checked = kept.isRegex;
  }

  /** Offers the choices of a profile, and selects those that it has; a choice among one is hidden. */
  #offer({threads, devices, steps, stepCount, processes, stack}: TableChoices, chosen: OfferedChoices): void {
    const {process, track, device, step} = chosen.selection;
    const offer = (list: ChoiceList, all: string, choices: readonly Choice[], value: string | number | undefined) => {
      list.offer(all, choices, choices.find(choice => choice.value === String(value))?.value ?? null);
    };
    const ofProcesses = processes.map(({pid, text}) => ({value: pid, text}));
    const ofThreads = threads.map(({track, name}) => ({value: String(track), text: name}));
    offer(this.#process, t('All processes'), ofProcesses, process);
    offer(this.#thread, t('All threads'), ofThreads, track);
    offer(this.#device, t('All devices'), numbered('GPU', devices), device);
    offer(this.#step, t('All steps'), stepChoices(steps, undefined, stepCount), step);
    this.#stack.offer(stack, chosen.stack);
  }

  get state(): BarState {
    const number = ({value}: ChoiceList) => (value === null ? null : Number(value));
    const [track, device, step] = [this.#thread, this.#device, this.#step].map(number);
    const range = this.#range.value.trim();
    const {value: process} = this.#process;
    return {
      text: this.#text.value,
      isRegex: this.#regex.checked,
      selection: {
        ...(range !== '' && {range}),
        ...(track !== null && {track}),
        ...(device !== null && {device}),
        ...(step !== null && {step}),
        ...(process !== null && {process}),
      },
      stack: this.#stack.element.hidden ? {} : this.#stack.stack,
    };
  }

  /** The chosen stack, whether or not it affects the table. */
  get chosenStack(): RangeStack {
    return this.#stack.stack;
  }

  /** Offers the choice of ranges if it affects the table. */
  showStack(isOfRanges: boolean): void {
    this.#stack.element.hidden = !isOfRanges && this.#range.value.trim() === '';
  }

  /** Shows the names behind a folded one separately. */
  unfold(name: string): void {
    this.#stack.unfold(name);
  }

  setRange(range: string): void {
    this.#range.value = range;
  }

  /** Takes slices of one kind as ranges; without a kind, the user's own ranges. */
  chooseRanges(kind: StackKind | undefined): void {
    this.#stack.choose(kind);
  }

  focusFilter(): void {
    this.#text.focus();
  }

  clearFilter(): void {
    this.#text.value = '';
  }

  /** Marks an invalid filter. */
  markInvalid(isInvalid: boolean): void {
    this.#text.setAttribute('aria-invalid', String(isInvalid));
  }
}

/** Returns choices such as "GPU 0", "GPU 1". */
function numbered(noun: string, numbers: readonly number[]): Choice[] {
  return numbers.map(number => ({value: String(number), text: `${noun} ${String(number)}`}));
}

/** Returns the bar that narrows nothing. */
export function wholeBar(stack: RangeStack): BarState {
  return {text: '', isRegex: false, selection: {}, stack};
}
