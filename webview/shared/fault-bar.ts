import type {PageFault, PageRequests} from '../../src/protocol/page-messages.js';
import type {Ask} from '../../src/protocol/rpc.js';
import {element} from './dom.js';
import {t} from './translate.js';
import {button, iconButton} from './ui.js';

/** A page that fails repeatedly reports no more than this many faults to the log. */
const mostTold = 20;

/**
 * Handles uncaught faults of our code in a page: shows one sentence at the top, with a button that opens the log, which
 * has the stack.
 */
export function watchFaults(ask: Ask<PageRequests>): void {
  let told = 0;
  const tell = (thrown: unknown, place: string) => {
    const fault = {page: document.title, ...storyOf(thrown, place)};
    showFault(fault, ask);
    if (++told <= mostTold) ask('page/fault', fault).catch(() => undefined);
  };
  window.addEventListener('error', event => {
    // Browsers report postponed resize notifications as an error, too, although nothing is wrong.
    if (event.message.startsWith('ResizeObserver loop')) return;
    tell(event.error ?? event.message, `${event.filename}:${String(event.lineno)}:${String(event.colno)}`);
  });
  window.addEventListener('unhandledrejection', ({reason}) => {
    tell(reason, '');
  });
}

function storyOf(thrown: unknown, place: string): Pick<PageFault, 'message' | 'stack'> {
  if (thrown instanceof Error) return {message: thrown.message, stack: thrown.stack ?? place};
  return {message: String(thrown), stack: place};
}

/** The latest fault replaces the one before. */
function showFault(fault: PageFault, ask: Ask<PageRequests>): void {
  document.querySelector('.fault')?.remove();
  const bar = element('div', {
    className: 'fault',
    attributes: {role: 'alert'},
    children: [
      element('span', {text: t('Something went wrong in this view: {0}', fault.message)}),
      button(t('Show Log'), () => void ask('page/show-log', undefined).catch(() => undefined), 'secondary'),
      button(t('Copy Details'), () => void ask('page/copy-fault', fault).catch(() => undefined), 'secondary'),
      iconButton('close', t('Close'), () => {
        bar.remove();
      }),
    ],
  });
  document.body.prepend(bar);
}
