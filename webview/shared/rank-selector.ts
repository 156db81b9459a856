import {rankChoices, rankOfChoice, type JobRanks, type JobSection} from '../../src/core/job/rank-choices.js';
import {ChoiceList} from './choice-list.js';
import {errorText} from './copied.js';
import {RankSwitch, type RankHost} from './rank-switch.js';
import {rankWords} from './rank-words.js';
import {t} from './translate.js';

/** What a view has to do with ranks. */
interface RankedView<T> {
  /** Where all ranks are shown in the place of the view; else why it can only be of one. */
  readonly section: JobSection | {readonly why: string};
  /** What is looked at, which goes to another rank; null for nothing. */
  readonly looked: () => T | null;
  /** Says why something could not be shown. */
  readonly fail: (text: string) => void;
}

/**
 * The list beside a profile’s name that shows another rank of its job in its place, the one that takes least, the median
 * or most, or all ranks. Hidden where the profile is no job’s.
 */
export class RankSelector<T> {
  readonly #list: ChoiceList;
  readonly #switch: RankSwitch<T>;

  constructor(
    private readonly host: RankHost,
    private readonly view: RankedView<T>,
  ) {
    this.#list = new ChoiceList(t('Rank'), () => {
      this.#choose(this.#list.value ?? '');
    });
    this.#switch = new RankSwitch<T>(host, job => {
      this.#offer(job);
    });
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** A profile has opened. */
  opened(key: number): void {
    this.#switch.opened(key);
  }

  closed(): void {
    this.#switch.closed();
  }

  /** What was looked at of the rank before; null where the profile was opened in another way. */
  taken(): Promise<T | null> {
    return this.#switch.taken();
  }

  #choose(value: string): void {
    const {job, key} = this.#switch;
    if (!job || key === null) return;
    const rank = rankOfChoice(job, value);
    if (rank === job.shown) this.#offer(job);
    else if (rank !== null) void this.#switch.show(rank, this.view.looked());
    else {
      // The view stays with its rank.
      this.#offer(job);
      const {section} = this.view;
      if (typeof section !== 'string') return;
      this.host.ask('ranks/all', {key, section}).catch((error: unknown) => {
        this.view.fail(errorText(error));
      });
    }
  }

  #offer(job: JobRanks | null): void {
    this.#list.offer(null, job ? rankChoices(job, this.view.section, rankWords) : [], job ? String(job.shown) : null);
  }
}
