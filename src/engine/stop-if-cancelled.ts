import {TraceError} from '../core/base/errors.js';

/**
 * Lets a cancel in that has come meanwhile: sorting and attributing do not return to the event loop. The answer to a call
 * that was cancelled is thrown away, and nobody would close what it opened.
 *
 * @throws TraceError `import/cancelled`
 */
export async function stopIfCancelled(signal: AbortSignal): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
  if (signal.aborted) throw new TraceError('import/cancelled', 'Opening was cancelled.');
}
