import {
  stackKindTexts,
  type RangeStack,
  type StackChoices,
  type StackKind,
} from '../../src/core/attribution/range-stack.js';
import {taggedRangeKinds} from '../../src/core/trace/slices.js';
import {element} from '../shared/dom.js';

/** What counts as a range in the tables: kinds, an NVTX domain, and whether names that differ by numbers are one. */
export class StackControls {
  readonly element = element('span', {
    className: 'stack',
    attributes: {role: 'group', 'aria-label': 'What counts as a range'},
  });
  #choices: StackChoices = {kinds: [], domains: []};
  #kinds: readonly StackKind[] = [];
  #domain: string | null = null;
  #unfolded: readonly string[] | null = null;

  constructor(private readonly onChange: () => void) {}

  /** Offers what a profile has: at first what a person named counts, as it does everywhere. */
  offer(choices: StackChoices): void {
    this.#choices = choices;
    this.#kinds = choices.kinds.filter(kind => taggedRangeKinds.has(kind));
    this.#domain = this.#unfolded = null;
    this.#show();
  }

  /** Takes slices of one kind for ranges, of every domain and by their own names; without one, what a person named. */
  choose(kind: StackKind | undefined): void {
    this.#domain = this.#unfolded = null;
    const isChosen = (one: StackKind) => (kind === undefined ? taggedRangeKinds.has(one) : one === kind);
    this.#kinds = this.#choices.kinds.filter(isChosen);
    this.#show();
  }

  /** What is chosen; nothing where it is the usual. */
  get stack(): RangeStack {
    const {kinds} = this.#choices;
    const isUsual = kinds.every(kind => taggedRangeKinds.has(kind) === this.#kinds.includes(kind));
    return {
      ...(!isUsual && {kinds: this.#kinds}),
      ...(this.#domain !== null && {domain: this.#domain}),
      ...(this.#unfolded && {fold: {unfolded: this.#unfolded, layers: true}}),
    };
  }

  /** Shows the names behind a folded one apart. */
  unfold(name: string): void {
    if (!this.#unfolded) return;
    this.#unfolded = [...this.#unfolded, name];
    this.onChange();
  }

  #show(): void {
    const {kinds, domains} = this.#choices;
    this.element.replaceChildren(
      ...(kinds.length < 2 ? [] : kinds.map(kind => this.#kindBox(kind))),
      ...(domains.length < 2 ? [] : [this.#domainList(domains)]),
      ...(kinds.length === 0 ? [] : [this.#foldBox()]),
    );
  }

  #kindBox(kind: StackKind): HTMLElement {
    return checkbox(stackKindTexts[kind], this.#kinds.includes(kind), isOn => {
      this.#kinds = this.#choices.kinds.filter(other => (other === kind ? isOn : this.#kinds.includes(other)));
      this.onChange();
    });
  }

  #domainList(domains: readonly string[]): HTMLElement {
    // A domain may have any name: its place stands for it.
    const names = ['All domains', ...domains.map(domain => (domain === '' ? 'Default domain' : domain))];
    const list = element('select', {
      attributes: {'aria-label': 'NVTX domain'},
      children: names.map((text, at) => element('option', {text, attributes: {value: String(at)}})),
    });
    list.addEventListener('change', () => {
      this.#domain = list.value === '0' ? null : (domains[Number(list.value) - 1] ?? null);
      this.onChange();
    });
    return list;
  }

  #foldBox(): HTMLElement {
    return checkbox('Fold names', this.#unfolded !== null, isOn => {
      this.#unfolded = isOn ? [] : null;
      this.onChange();
    });
  }
}

function checkbox(text: string, isOn: boolean, onChange: (isOn: boolean) => void): HTMLElement {
  const input = element('input', {attributes: {type: 'checkbox'}});
  input.checked = isOn;
  input.addEventListener('change', () => {
    onChange(input.checked);
  });
  return element('label', {className: 'check', children: [input, element('span', {text})]});
}
