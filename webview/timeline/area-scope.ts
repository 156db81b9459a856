import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {Host} from '../shared/host.js';
import {ScopeChip} from '../shared/scope-chip.js';

/**
 * Keeps the marked area and the scope of the profile one: an area that is marked here narrows figures everywhere, and a
 * scope that another view or a command has changed is marked here.
 */
export class AreaScope {
  readonly #chip: ScopeChip;
  #key = -1;
  #window: TimeWindow | null = null;
  /** What the host says of the scope before it has answered is of earlier. */
  #unanswered = 0;
  /** What the host said meanwhile; undefined for nothing. */
  #heard: TimeWindow | null | undefined;

  constructor(
    private readonly host: Host,
    /** Marks a window as an area, or takes the area away. */
    private readonly mark: (window: TimeWindow | null) => void,
  ) {
    this.#chip = new ScopeChip(() => this.mark(null));
  }

  get chip(): HTMLElement {
    return this.#chip.element;
  }

  /** Another profile is shown, without an area so far. */
  begin(key: number): void {
    this.#key = key;
    this.#unanswered = 0;
    this.#heard = undefined;
    this.#take(null);
  }

  /** An area was marked, or is no longer. */
  marked(area: TimeWindow | null): void {
    const window = area && {fromNs: area.fromNs, toNs: area.toNs};
    if (isSame(window, this.#window)) return;
    this.#take(window);
    this.#unanswered++;
    const key = this.#key;
    void this.host
      .ask('scope/set', {key, window})
      .catch(() => undefined)
      .finally(() => {
        // Of a profile that is shown no more.
        if (key !== this.#key || --this.#unanswered > 0 || this.#heard === undefined) return;
        this.told(this.#heard);
        this.#heard = undefined;
      });
  }

  /** What the profile is scoped to, as the host has it. */
  told(window: TimeWindow | null): void {
    if (this.#unanswered > 0) this.#heard = window;
    if (this.#unanswered > 0 || isSame(window, this.#window)) return;
    this.#take(window);
    this.mark(window);
  }

  #take(window: TimeWindow | null): void {
    this.#window = window;
    this.#chip.show(window);
  }
}

function isSame(one: TimeWindow | null, other: TimeWindow | null): boolean {
  return one?.fromNs === other?.fromNs && one?.toNs === other?.toNs;
}
