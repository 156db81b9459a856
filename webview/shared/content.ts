import {readText} from '../../src/core/format/count.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {assertNever} from '../../src/core/base/errors.js';
import type {ProfileView, ViewCommand, ViewContent} from '../../src/protocol/view-messages.js';
import {element, pageRoot} from './dom.js';
import type {Host} from './host.js';
import {button, progressRing} from './ui.js';

/** What a view does with its content. */
export interface ContentHandlers {
  /** A profile is to be shown. The same profile may come again, when something else has changed. */
  show(profile: ProfileView): void;
  /** What figures of the shown profile are narrowed to; null for all of it. Comes whenever something has changed. */
  scoped?(window: TimeWindow | null): void;
  /** There is no profile: the message stands in its place. */
  clear(): void;
}

/** Shows what there is instead of a profile: nothing yet, progress, or why a file could not be opened. */
export class ContentArea {
  readonly #message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  #shownKey: number | null = null;

  constructor(
    private readonly host: Host,
    private readonly view: HTMLElement,
    private readonly handlers: ContentHandlers,
  ) {
    pageRoot().append(this.#message);
  }

  update(content: ViewContent): void {
    const isOpen = content.state === 'open';
    this.#message.hidden = isOpen;
    this.view.hidden = !isOpen;
    if (!isOpen) this.handlers.clear();
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
      element('p', {text: 'No profile is open.'}),
      element('p', {
        className: 'muted',
        text: 'Open a PyTorch profiler trace or an Nsight Systems export, or record one from a training script.',
      }),
      this.#buttons(
        button('Open Profile…', this.#command('open-profile'), 'primary'),
        button('Profile model step', this.#command('profile-model-step'), 'secondary'),
      ),
    );
  }

  #showClosed(name: string): void {
    this.#message.replaceChildren(
      element('p', {text: `${name} was closed.`}),
      this.#buttons(button('Open again', this.#command('open-again'), 'primary')),
    );
  }

  #showOpening({name, step, fraction, events}: Extract<ViewContent, {state: 'opening'}>): void {
    const percent = Math.floor(100 * fraction);
    const text =
      step === 'export'
        ? `Exporting ${name} with nsys: ${String(percent)} %`
        : [`Opening ${name}: ${String(percent)} %`, readText(events)].filter(part => part !== '').join(', ');
    this.#message.replaceChildren(
      element('p', {children: [progressRing()]}),
      element('p', {text}),
      element('progress', {attributes: {max: '100', value: String(percent), 'aria-label': 'Opening'}}),
      this.#buttons(button('Cancel', this.#command('cancel-open'), 'secondary')),
    );
  }

  #showFailed(message: string, canOpenWith: boolean): void {
    this.#message.replaceChildren(
      element('p', {text: message}),
      this.#buttons(
        ...(canOpenWith ? [button('Open with…', this.#command('open-with'), 'primary')] : []),
        button('Try again', this.#command('open-again'), 'secondary'),
        button('Open another profile…', this.#command('open-profile'), 'secondary'),
        button('Show Log', this.#command('show-log'), 'secondary'),
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
