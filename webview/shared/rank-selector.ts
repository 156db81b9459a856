import {rankChoices, rankOfChoice, type JobRanks, type JobSection} from '../../src/core/job/rank-choices.js';
import {CarriedView} from './carried-view.js';
import {ChoiceList} from './choice-list.js';
import {errorText} from './copied.js';
import {RankSwitch, type RankHost} from './rank-switch.js';
import {rankWords} from './rank-words.js';
import {t} from './translate.js';

/** A view's part in switching ranks. */
interface RankedView<T> {
  /** The section for all ranks that replaces the view; else why the view can show only one rank. */
  readonly section: JobSection | {readonly why: string};
  /** Returns the view's current place, which another rank will show; null for none. */
  readonly looked: () => T | null;
  /** Shows why an action failed. */
  readonly fail: (text: string) => void;
}

/**
 * The list beside a profile’s name that opens another rank of its job in its place (or the fastest, median or slowest
 * one), or shows all ranks. Hidden if the profile does not belong to a job.
 */
export class RankSelector<T> {
  readonly #list: ChoiceList;
  readonly #switch: RankSwitch<T>;
  /** The list of a rank that was chosen here takes over the focus. An editor keeps its own file, and its focus. */
  readonly #focus = new CarriedView<true>();

  constructor(
    private readonly host: RankHost,
    private readonly view: RankedView<T>,
  ) {
    this.#list = new ChoiceList(t('Rank'), () => {
      this.#choose(this.#list.value ?? '');
    });
    this.#switch = new RankSwitch<T>(
      host,
      job => {
        this.#offer(job);
      },
      view.fail,
    );
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** A profile has opened. */
  opened(key: number): void {
    this.#switch.opened(key);
  }

  /** The active job has changed. */
  changed(): void {
    this.#switch.changed();
  }

  closed(): void {
    this.#switch.closed();
  }

  /** Returns the view of the rank before; null if the profile was opened in another way. */
  taken(): Promise<T | null> {
    return this.#switch.taken();
  }

  #choose(value: string): void {
    const {job, key} = this.#switch;
    if (!job || key === null) return;
    const rank = rankOfChoice(job, value);
    if (rank === job.shown) this.#offer(job);
    else if (rank !== null) {
      this.#focus.begin(job, rank, true);
      void this.#switch.show(rank, this.view.looked()).then(isShown => {
        if (!isShown) this.#focus.drop();
      });
    } else {
      // The view stays at its rank.
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
    if (!this.#focus.take(job)) return;
    // The list was hidden while the rank opened. Whatever else has taken the focus meanwhile keeps it.
    if (document.hasFocus() && document.activeElement === document.body) this.#list.focus();
  }
}
