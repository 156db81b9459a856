import {isFields, type JsonFields} from '../../src/core/base/read-json.js';
import type {Host} from './host.js';

/** Returns the stored state of a view, by name. Another version may have written it. */
export function storedMembers(host: Pick<Host, 'restore'>): JsonFields {
  const stored = host.restore();
  return isFields(stored) ? stored : {};
}

/** Stores members of a view's state beside the others. */
export function storeMembers(host: Pick<Host, 'restore' | 'store'>, changes: JsonFields): void {
  host.store({...storedMembers(host), ...changes});
}

/**
 * Stores the choices that only make sense for what a view shows now. VS Code discards the page of a hidden view: the
 * next page restores them.
 *
 * @param of what the view shows
 */
export function storeChoices(host: Pick<Host, 'restore' | 'store'>, of: string, choices: JsonFields): void {
  storeMembers(host, {choices: {...choices, of}});
}

/** Returns the stored choices if the view showed the same when they were made; otherwise none. */
export function storedChoices(host: Pick<Host, 'restore'>, of: string): JsonFields {
  const {choices} = storedMembers(host);
  return isFields(choices) && choices['of'] === of ? choices : {};
}
