import {say} from '../base/say.js';
import {isFields} from '../base/read-json.js';
import type {ProfileFindings} from './findings-page.js';

/** A rule whose findings a workspace hides, and the reason. */
export interface Dismissal {
  readonly rule: string;
  readonly reason: string;
}

/** The dismissals in a project's file, and a message if it cannot be parsed. */
export interface Dismissals {
  readonly dismissed: readonly Dismissal[];
  readonly problems: readonly string[];
}

/** Parses `{"dismissed": [{"rule": "copies/small", "reason": "…"}]}`. @param file the name of the file */
export function parseDismissals(text: string, file: string): Dismissals {
  const json = parsed(text);
  if (!isFields(json)) return {dismissed: [], problems: [say('{0} could not be read: it is not a JSON object.', file)]};
  const listed = json['dismissed'] ?? [];
  if (Array.isArray(listed) && listed.every(isDismissal)) return {dismissed: listed, problems: []};
  const example = '[{"rule": "copies/small", "reason": "set-up only"}]';
  return {dismissed: [], problems: [say('{0}: "dismissed" must be a list with reasons, such as {1}.', file, example)]};
}

/** Returns the findings that are not dismissed, with a sentence for each that is. */
export function withoutDismissed(found: ProfileFindings, {dismissed, problems}: Dismissals): ProfileFindings {
  const reasons = new Map(dismissed.map(({rule, reason}) => [rule, reason]));
  const hidden = found.findings.filter(({rule}) => reasons.has(rule));
  return {
    ...found,
    findings: found.findings.filter(({rule}) => !reasons.has(rule)),
    notes: [
      ...found.notes,
      ...problems,
      ...hidden.map(({rule}) => say('The finding {0} is dismissed: {1}', rule, reasons.get(rule) ?? '')),
    ],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isDismissal(one: unknown): one is Dismissal {
  if (!isFields(one)) return false;
  const {rule, reason} = one;
  return typeof rule === 'string' && typeof reason === 'string' && reason.trim() !== '';
}
