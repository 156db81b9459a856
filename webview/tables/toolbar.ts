import type {RangeStack, StackKind} from '../../src/core/attribution/range-stack.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {TableChoices} from '../../src/core/tabs/table-tabs.js';
import {element} from '../shared/dom.js';
import {stepChoices} from '../shared/step-choices.js';
import {t} from '../shared/translate.js';
import {checkbox, type Choice} from '../shared/ui.js';
import {ChoiceList} from '../shared/choice-list.js';
import {StackControls} from './stack-controls.js';

/** What the user has chosen in the bar. */
export interface BarState {
  readonly text: string;
  readonly isRegex: boolean;
  readonly selection: Selection;
  readonly stack: RangeStack;
}

/** What stays chosen from one profile to another of its job. */
export interface ChosenView {
  readonly step: number | null;
  readonly stack: RangeStack;
}

const filterAfterMs = 150;

/** The bar with the filter and what the tables are narrowed to. */
export class Toolbar {
  readonly element = element('div', {className: 'bar', attributes: {role: 'toolbar', 'aria-label': t('Filter')}});
  readonly #text = element('input', {
    attributes: {type: 'search', placeholder: t('Filter names'), 'aria-label': t('Filter names'), size: '24'},
  });
  #isRegex = false;
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
    const regex = checkbox(t('Regex'), false, isOn => {
      this.#isRegex = isOn;
      onChange();
    });
    const lists = [this.#process, this.#thread, this.#device, this.#step].map(({element: shown}) => shown);
    this.element.append(this.#text, regex, this.#range, ...lists, this.#stack.element);
    this.#text.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(onChange, filterAfterMs);
    });
    this.#range.addEventListener('change', onChange);
  }

  /**
   * Offers what a profile has; what there is one of needs no choice.
   *
   * @param view what is chosen of it, where the profile has it
   */
  offer(
    {threads, devices, steps, stepCount, processes, stack}: TableChoices,
    isText: boolean,
    {step, stack: chosen}: ChosenView,
  ): void {
    this.#stack.offer(stack, chosen);
    this.#process.offer(
      t('All processes'),
      processes.map(({pid, text}) => ({value: pid, text})),
      null,
    );
    this.#thread.offer(
      t('All threads'),
      threads.map(({track, name}) => ({value: String(track), text: name})),
      null,
    );
    this.#device.offer(t('All devices'), numbered('GPU', devices), null);
    const chosenStep = step !== null && steps.includes(step) ? String(step) : null;
    this.#step.offer(t('All steps'), stepChoices(steps, undefined, stepCount), chosenStep);
    this.#range.hidden = isText;
  }

  get state(): BarState {
    const number = ({value}: ChoiceList) => (value === null ? null : Number(value));
    const [track, device, step] = [this.#thread, this.#device, this.#step].map(number);
    const range = this.#range.value.trim();
    const {value: process} = this.#process;
    return {
      text: this.#text.value,
      isRegex: this.#isRegex,
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

  /** What is chosen to count as a range, whether or not it makes a difference to the table. */
  get chosenStack(): RangeStack {
    return this.#stack.stack;
  }

  /** Offers to choose what counts as a range, where that makes a difference. */
  showStack(isOfRanges: boolean): void {
    this.#stack.element.hidden = !isOfRanges && this.#range.value.trim() === '';
  }

  /** Shows the names behind a folded one apart. */
  unfold(name: string): void {
    this.#stack.unfold(name);
  }

  setRange(range: string): void {
    this.#range.value = range;
  }

  /** Takes slices of one kind for ranges; without one, what a person named. */
  chooseRanges(kind: StackKind | undefined): void {
    this.#stack.choose(kind);
  }

  focusFilter(): void {
    this.#text.focus();
  }

  clearFilter(): void {
    this.#text.value = '';
  }

  /** Marks a filter that could not be understood. */
  markInvalid(isInvalid: boolean): void {
    this.#text.setAttribute('aria-invalid', String(isInvalid));
  }
}

/** "GPU 0", "GPU 1". */
function numbered(noun: string, numbers: readonly number[]): Choice[] {
  return numbers.map(number => ({value: String(number), text: `${noun} ${String(number)}`}));
}
