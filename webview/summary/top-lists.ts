import type {ProgramPart} from '../../src/core/summary/program-parts.js';
import type {TopList} from '../../src/core/summary/summary-tops.js';
import type {Selection} from '../../src/core/scope/selection.js';
import {errorText} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {dropdown} from '../shared/ui.js';
import {topTable, type TopActions} from './top-table.js';

/** Reads the largest entries in a part of the profile. */
export type ReadTops = (selection: Selection) => Promise<readonly TopList[]>;

/** Lists the largest entries: one table per kind, for all work or for the pass or range chosen above. */
export class TopLists {
  readonly #choice = element('h2', {text: t('What takes the most')});
  readonly #tables = element('div', {className: 'tops'});
  readonly #said = element('p', {attributes: {'aria-live': 'polite'}});
  readonly element = element('section', {children: [this.#choice, this.#said, this.#tables]});
  /** The latest choice: answers to earlier ones are dropped. */
  #chosen: ProgramPart | null = null;

  /** @param onChoose receives the text of the chosen part; null for all work */
  constructor(
    private readonly actions: TopActions,
    private readonly read: ReadTops,
    private readonly onChoose: (text: string | null) => void,
  ) {}

  /** @param kept the text of the part that is chosen at first */
  show(tops: readonly TopList[], parts: readonly ProgramPart[], kept: unknown): void {
    const keptPart = parts.find(({text}) => text === kept) ?? null;
    const choices = [t('All work'), ...parts.map(({text}) => text)].map((text, at) => ({value: String(at), text}));
    const selected = keptPart ? parts.indexOf(keptPart) + 1 : 0;
    const list = dropdown(t('Work that counts'), choices, String(selected), value => {
      const part = parts.find((_, at) => String(at + 1) === value) ?? null;
      this.onChoose(part?.text ?? null);
      this.#chosen = part;
      if (part) void this.#narrow(part);
      else this.#fill(tops);
    });
    this.#choice.replaceChildren(t('What takes the most'), ...(parts.length > 0 ? [list] : []));
    this.#chosen = keptPart;
    this.#fill(tops);
    if (keptPart) void this.#narrow(keptPart);
  }

  async #narrow(part: ProgramPart): Promise<void> {
    try {
      const tops = await this.read(part.selection);
      if (this.#chosen === part) this.#fill(tops);
    } catch (error) {
      if (this.#chosen === part) this.#said.textContent = errorText(error);
    }
  }

  #fill(tops: readonly TopList[]): void {
    this.#said.textContent = tops.length === 0 ? t('There is no GPU work in it.') : '';
    this.#tables.replaceChildren(...tops.map(list => topTable(list, this.actions)));
  }
}
