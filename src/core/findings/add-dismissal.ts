import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {isFields} from '../base/read-json.js';
import type {Dismissal} from './dismissals.js';

/**
 * Returns a project's file with one more dismissal; everything else in it is unchanged. If the rule is already
 * dismissed, its reason is replaced.
 *
 * @param text the contents of the file; null if it does not exist
 * @throws TraceError `file/unreadable` if the file cannot be parsed: it must not be overwritten
 */
export function addDismissal(text: string | null, dismissal: Dismissal): string {
  const project = text === null || text.trim() === '' ? {} : parsed(text);
  const dismissed: unknown = project['dismissed'] ?? [];
  if (!Array.isArray(dismissed)) throw notUnderstood('"dismissed" is not a list.');
  const others = (dismissed as unknown[]).filter(one => !isFields(one) || one['rule'] !== dismissal.rule);
  return `${JSON.stringify({...project, dismissed: [...others, dismissal]}, null, 2)}\n`;
}

function parsed(text: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw notUnderstood(error instanceof Error ? error.message : String(error));
  }
  if (isFields(json)) return {...json};
  throw notUnderstood(say('It is not a JSON object.'));
}

const notUnderstood = (why: string): TraceError =>
  new TraceError('file/unreadable', say('.gpu-lens.json could not be read and was not changed: {0}', why));
