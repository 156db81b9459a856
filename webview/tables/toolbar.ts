import {formatCount} from '../../src/core/format/count.js';
import type {RangeStack, StackKind} from '../../src/core/attribution/range-stack.js';
import type {Selection} from '../../src/core/queries/selection.js';
import type {TableChoices} from '../../src/core/tables/table-tabs.js';
import type {JobRanks} from '../../src/protocol/view-messages.js';
import {element} from '../shared/dom.js';
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
  readonly element = element('div', {className: 'bar', attributes: {role: 'toolbar', 'aria-label': 'Filter'}});
  readonly #text = element('input', {
    attributes: {type: 'search', placeholder: 'Filter names', 'aria-label': 'Filter names', size: '24'},
  });
  readonly #regex = element('input', {attributes: {type: 'checkbox', id: 'regex'}});
  readonly #range = element('input', {
    attributes: {type: 'search', placeholder: 'Range', 'aria-label': 'Only work of this range', size: '20'},
  });
  readonly #thread = element('select', {attributes: {'aria-label': 'Thread'}});
  readonly #device = element('select', {attributes: {'aria-label': 'Device'}});
  readonly #step = element('select', {attributes: {'aria-label': 'Step'}});
  readonly #process = element('select', {attributes: {'aria-label': 'Process'}});
  readonly #stack: StackControls;
  readonly #rank = element('select', {attributes: {'aria-label': 'Rank'}});
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly onChange: () => void,
    onRank: (rank: number) => void,
  ) {
    const label = element('label', {text: 'Regex', attributes: {for: 'regex'}});
    const narrowing = [this.#range, this.#process, this.#thread, this.#device, this.#step];
    this.#stack = new StackControls(onChange);
    this.element.append(this.#text, this.#regex, label, this.#rank, ...narrowing, this.#stack.element);
    this.#rank.hidden = true;
    this.#rank.addEventListener('change', () => {
      onRank(Number(this.#rank.value));
    });
    this.#text.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.onChange, filterAfterMs);
    });
    for (const control of [this.#regex, ...narrowing]) {
      control.addEventListener('change', this.onChange);
    }
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
    fill(
      this.#process,
      'All processes',
      processes.map(({pid, text}) => [pid, text]),
    );
    fill(
      this.#thread,
      'All threads',
      threads.map(({track, name}) => [String(track), name]),
    );
    fill(
      this.#device,
      'All devices',
      devices.map(id => [String(id), `GPU ${String(id)}`]),
    );
    fill(
      this.#step,
      'All steps',
      steps.map(number => [String(number), `Step ${String(number)}`]),
    );
    if (stepCount > steps.length) {
      const text = `The first ${formatCount(steps.length)} of ${formatCount(stepCount)} steps: a time window reaches the others`;
      this.#step.append(element('option', {text, attributes: {disabled: ''}}));
    }
    if (step !== null && steps.includes(step)) this.#step.value = String(step);
    this.#range.hidden = isText;
  }

  /** Offers the ranks of the profile's job; null where there is no choice. */
  offerRanks(job: JobRanks | null): void {
    const choices = (job?.ranks ?? []).map(rank => option(String(rank), `Rank ${String(rank)}`));
    this.#rank.replaceChildren(...choices);
    this.#rank.hidden = job === null;
    if (job) this.#rank.value = String(job.shown);
  }

  get state(): BarState {
    const number = ({value}: HTMLSelectElement) => (value === '' ? null : Number(value));
    const [track, device, step] = [this.#thread, this.#device, this.#step].map(number);
    const range = this.#range.value.trim();
    const process = this.#process.value;
    return {
      text: this.#text.value,
      isRegex: this.#regex.checked,
      selection: {
        ...(range !== '' && {range}),
        ...(track !== null && {track}),
        ...(device !== null && {device}),
        ...(step !== null && {step}),
        ...(process !== '' && {process}),
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

  clearFilter(): void {
    this.#text.value = '';
  }

  /** Marks a filter that could not be understood. */
  markInvalid(isInvalid: boolean): void {
    this.#text.setAttribute('aria-invalid', String(isInvalid));
  }
}

function option(value: string, text: string): HTMLElement {
  return element('option', {text, attributes: {value}});
}

function fill(
  select: HTMLSelectElement,
  all: string,
  choices: readonly (readonly [value: string, text: string])[],
): void {
  select.replaceChildren(option('', all), ...choices.map(([value, text]) => option(value, text)));
  select.hidden = choices.length < 2;
}
