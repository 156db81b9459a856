import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';

/**
 * Lets a pending cancel message arrive, because sorting and attributing do not return to the event loop. The result of
 * a cancelled call is discarded, so nobody would close what it opened.
 *
 * @throws TraceError `import/cancelled`
 */
export async function stopIfCancelled(signal: AbortSignal): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
  if (signal.aborted) throw new TraceError('import/cancelled', say('Opening was cancelled.'));
}
