import {readText} from '../../src/core/format/count.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {assertNever} from '../../src/core/base/errors.js';
import type {ProfileView, ViewCommand, ViewContent} from '../../src/protocol/view-messages.js';
import {element, pageRoot} from './dom.js';
import type {Host} from './host.js';
import {t} from './translate.js';
import {button, progressRing} from './ui.js';

/** A profile that is being opened. */
export type Opening = Extract<ViewContent, {state: 'opening'}>;

/** A view's handlers for its content. */
export interface ContentHandlers {
  /** Shows a profile. Called again for the same profile when something else has changed. */
  show(profile: ProfileView): void;
  /** Narrows the figures of the shown profile to a window; null for all of it. Called on each change. */
  scoped?(window: TimeWindow | null): void;
  /** Draws what was read so far of a profile that is being opened; returns false if there is nothing to draw yet. */
  sketch?(opening: Opening): boolean;
  /** There is no profile: a message replaces it. */
  clear(content: ViewContent): void;
}

/** What changes while a profile is being opened. */
interface Progress {
  readonly key: number;
  readonly text: HTMLElement;
  readonly bar: HTMLProgressElement;
}

/** Shows what replaces a profile: nothing yet, progress, or why a file could not be opened. */
export class ContentArea {
  readonly #message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  #shownKey: number | null = null;
  #progress: Progress | null = null;

  constructor(
    private readonly host: Host,
    private readonly view: HTMLElement,
    private readonly handlers: ContentHandlers,
  ) {
    pageRoot().append(this.#message);
  }

  update(content: ViewContent): void {
    const isOpen = content.state === 'open';
    if (!isOpen) this.handlers.clear(content);
    const isDrawn = isOpen || (content.state === 'opening' && this.handlers.sketch?.(content) === true);
    this.#message.hidden = isDrawn;
    this.view.hidden = !isDrawn;
    switch (content.state) {
      case 'open':
        if (this.#shownKey !== content.profile.key) this.handlers.show(content.profile);
        this.#shownKey = content.profile.key;
        this.handlers.scoped?.(content.scope);
        return;
      case 'empty':
        this.#showEmpty();
        break;
      case 'closed':
        this.#showClosed(content.name);
        break;
      case 'opening':
        this.#showOpening(content);
        break;
      case 'failed':
        this.#showFailed(content.message, content.canOpenWith);
        break;
      default:
        assertNever(content);
    }
    this.#shownKey = null;
  }

  #showEmpty(): void {
    this.#message.replaceChildren(
      element('p', {text: t('No profile is open.')}),
      element('p', {
        className: 'muted',
        text: t(
          'Open a profile that PyTorch, Nsight Systems or rocprofv3 has written, or record one from a training script.',
        ),
      }),
      this.#buttons(
        button(t('Open Profile…'), this.#command('open-profile'), 'primary'),
        button(t('Profile model step'), this.#command('profile-model-step'), 'secondary'),
      ),
    );
  }

  #showClosed(name: string): void {
    this.#message.replaceChildren(
      element('p', {text: t('{0} was closed.', name)}),
      this.#buttons(button(t('Open again'), this.#command('open-again'), 'primary')),
    );
  }

  #showOpening(opening: Opening): void {
    // The button stays while the progress changes, so that it can be clicked and keeps the focus.
    const isShown = this.#progress?.key === opening.key && this.#progress.text.parentElement === this.#message;
    if (!this.#progress || !isShown) this.#progress = this.#beginOpening(opening.key);
    const {text, bar} = this.#progress;
    text.textContent = openingText(opening);
    bar.value = Math.floor(100 * opening.fraction);
  }

  #beginOpening(key: number): Progress {
    const text = element('p');
    const bar = element('progress', {attributes: {max: '100', 'aria-label': t('Opening')}});
    this.#message.replaceChildren(
      element('p', {children: [progressRing()]}),
      text,
      bar,
      this.#buttons(button(t('Cancel'), this.#command('cancel-open'), 'secondary')),
    );
    return {key, text, bar};
  }

  #showFailed(message: string, canOpenWith: boolean): void {
    this.#message.replaceChildren(
      element('p', {text: message}),
      this.#buttons(
        ...(canOpenWith ? [button(t('Open with…'), this.#command('open-with'), 'primary')] : []),
        button(t('Try again'), this.#command('open-again'), 'secondary'),
        button(t('Open another profile…'), this.#command('open-profile'), 'secondary'),
        button(t('Show Log'), this.#command('show-log'), 'secondary'),
      ),
    );
  }

  #buttons(...buttons: HTMLElement[]): HTMLElement {
    return element('div', {className: 'buttons', children: buttons});
  }

  #command(command: ViewCommand): () => void {
    return () => {
      void this.host.ask('view/command', {command});
    };
  }
}

/** Describes the progress of opening a profile. */
function openingText({name, step, fraction, events}: Opening): string {
  const percent = Math.floor(100 * fraction);
  if (step === 'export') return t('Exporting {0} with nsys: {1} %', name, percent);
  return [t('Opening {0}: {1} %', name, percent), readText(events)].filter(part => part !== '').join(', ');
}
