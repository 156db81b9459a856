import {say} from '../base/say.js';
import {isFields} from '../base/read-json.js';
import type {ProfileFindings} from './findings-page.js';

/** A rule whose findings a workspace does not want to see, and why. */
export interface Dismissal {
  readonly rule: string;
  readonly reason: string;
}

/** What a project's file dismisses, and a sentence where it is not understood. */
export interface Dismissals {
  readonly dismissed: readonly Dismissal[];
  readonly problems: readonly string[];
}

/** Reads `{"dismissed": [{"rule": "copies/small", "reason": "…"}]}`. @param file what the file is called */
export function parseDismissals(text: string, file: string): Dismissals {
  const json = parsed(text);
  if (!isFields(json)) return {dismissed: [], problems: [say('{0} is not understood: it is no JSON object.', file)]};
  const listed = json['dismissed'] ?? [];
  if (Array.isArray(listed) && listed.every(isDismissal)) return {dismissed: listed, problems: []};
  const example = '[{"rule": "copies/small", "reason": "set-up only"}]';
  return {dismissed: [], problems: [say('{0}: "dismissed" must be a list with reasons, such as {1}.', file, example)]};
}

/** The findings that nobody has dismissed, with a sentence for each that was. */
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
