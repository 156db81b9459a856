import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {Host} from '../shared/host.js';
import {ScopeChip} from '../shared/scope-chip.js';

/**
 * Keeps the marked area and the scope of the profile equal: an area marked here narrows figures everywhere, and a scope
 * changed by another view or a command is marked here.
 */
export class AreaScope {
  readonly #chip: ScopeChip;
  #key = -1;
  #window: TimeWindow | null = null;
  /** Number of requests that the host has not answered: until then, its messages about the scope are outdated. */
  #unanswered = 0;
  /** The host's latest message meanwhile; undefined for none. */
  #heard: TimeWindow | null | undefined;

  constructor(
    private readonly host: Host,
    /** Marks a window as an area, or removes the area. */
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

  /** An area was marked or removed. */
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
        // Ignored if the profile is no longer shown.
        if (key !== this.#key || --this.#unanswered > 0 || this.#heard === undefined) return;
        this.told(this.#heard);
        this.#heard = undefined;
      });
  }

  /** Receives the profile's scope from the host. */
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
