import type {TimeWindow} from '../../src/core/base/time-window.js';
import {aheadOf, alignedAt, windowOfLinked, type LinkedView} from '../../src/core/layout/linked-view.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {HostRequests, TimelineLink as Link} from '../../src/protocol/view-messages.js';
import type {Ask} from '../../src/protocol/rpc.js';
import {element} from '../shared/dom.js';
import {t} from '../shared/translate.js';
import {iconButton} from '../shared/ui.js';

/** A timeline that a link controls. */
export interface LinkedTimeline {
  readonly window: TimeWindow;
  /** Shows exactly this window, even beyond the trace: the other timeline may be longer. */
  showExactly(window: TimeWindow): void;
  /** Shows a window with some margin on both sides. */
  showAround(window: TimeWindow): void;
  /** Draws the cursor at a time; null for none. */
  showCursor(ns: number | null): void;
}

/** One end of a link between two timelines, and the badge that shows it. */
export class TimelineLink {
  readonly #text = element('span', {className: 'link-text'});
  readonly element = element('span', {
    className: 'link-badge',
    attributes: {'aria-live': 'polite', 'data-testid': 'link'},
    children: [
      element('span', {className: 'codicon codicon-link', attributes: {'aria-hidden': 'true'}}),
      this.#text,
      iconButton('close', t('Unlink (Esc)'), () => this.end()),
    ],
  });
  #link: Link | null = null;
  /** The step from which times count. */
  #ahead = 0;
  #cursorNs: number | null = null;
  #isFollowing = false;
  #isChanged = false;
  #isSending = false;

  constructor(
    private readonly ask: Ask<HostRequests>,
    private readonly timeline: () => LinkedTimeline,
  ) {
    this.element.hidden = true;
  }

  get isLinked(): boolean {
    return this.#link !== null;
  }

  /** The host has linked the timeline, or ended its link (null). */
  told(link: Link | null): void {
    this.#link = link;
    this.#ahead = link?.view?.ahead ?? 0;
    this.element.hidden = link === null;
    this.#showCursor(null);
    if (link === null) return;
    this.#tell();
    if (link.view) this.follow(link.view);
    else this.#quietly(() => this.timeline().showAround(this.#longest(link.own.compared)));
  }

  /** Ends the link: each timeline moves by itself again. */
  end(): void {
    if (this.#link) void this.ask('timeline/unlink', undefined);
  }

  /** Shows the window of the other timeline. */
  follow(view: LinkedView): void {
    if (!this.#link) return;
    this.#ahead = view.ahead;
    const window = windowOfLinked(this.#link.own, view);
    this.#tell();
    if (window) this.#quietly(() => this.timeline().showExactly(window));
    this.#showCursor(view.cursorNs === null ? null : this.#fromStep(view.cursorNs));
  }

  /** The timeline shows another window. */
  moved(): void {
    if (!this.#isFollowing) this.#sendSoon();
  }

  /** The timeline's cursor is at a time; null for none. */
  pointed(ns: number | null): void {
    if (!this.#link) return;
    this.#showCursor(ns);
    this.#sendSoon();
  }

  /** Returns where to count the next or previous step from: the step that both show, else the visible window. */
  stepFrom(window: TimeWindow): TimeWindow {
    const step = this.#link && alignedAt(this.#link.own, this.#ahead);
    const middleNs = step ? (step.fromNs + step.toNs) / 2 : NaN;
    return step && middleNs >= window.fromNs && middleNs <= window.toNs ? step : window;
  }

  /**
   * Returns the window of a step to show: with a link, that of the longer of both steps, from which times count now.
   */
  stepWindow({startNs, endNs}: Pick<Step, 'startNs' | 'endNs'>): TimeWindow {
    const own = {fromNs: startNs, toNs: endNs};
    const ahead = this.#link && aheadOf(this.#link.own, {startNs});
    if (ahead === null) return own;
    this.#ahead = ahead;
    this.#tell();
    return this.#longest(own);
  }

  #longest({fromNs, toNs}: TimeWindow): TimeWindow {
    const other = this.#link && alignedAt(this.#link.other, this.#ahead);
    return {fromNs, toNs: Math.max(toNs, fromNs + (other ? other.toNs - other.fromNs : 0))};
  }

  /** Performs an action without notifying the other timeline, from which it came. */
  #quietly(act: () => void): void {
    this.#isFollowing = true;
    act();
    this.#isFollowing = false;
  }

  #showCursor(ns: number | null): void {
    this.#cursorNs = ns;
    this.timeline().showCursor(ns);
  }

  #fromStep(ns: number): number {
    return this.#startNs + ns;
  }

  get #startNs(): number {
    return (this.#link && alignedAt(this.#link.own, this.#ahead))?.fromNs ?? 0;
  }

  #tell(): void {
    if (!this.#link) return;
    const {name, own, other} = this.#link;
    const text = !alignedAt(own, this.#ahead)
      ? t('Linked with {0}, at a step that is not here', name)
      : !alignedAt(other, this.#ahead)
        ? t('Linked with {0}, which has no such step', name)
        : t('Linked with {0}', name);
    if (this.#text.textContent !== text) this.#text.textContent = this.#text.title = text;
  }

  /** Changes during a pending message are sent after its answer, so that dragging does not queue messages. */
  #sendSoon(): void {
    this.#isChanged = true;
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#isChanged && this.#link) {
      this.#isChanged = false;
      const {fromNs, toNs} = this.timeline().window;
      const startNs = this.#startNs;
      const cursorNs = this.#cursorNs === null ? null : this.#cursorNs - startNs;
      const view = {ahead: this.#ahead, fromNs: fromNs - startNs, toNs: toNs - startNs, cursorNs};
      // The other timeline may have been closed meanwhile: then the link ends.
      await this.ask('timeline/linked', view).catch(() => undefined);
    }
    this.#isSending = this.#isChanged = false;
  }
}
