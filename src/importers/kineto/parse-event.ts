type Reviver = (key: string, value: unknown, context?: {source?: string}) => unknown;

/** The members of an event from its text, lenient in what writers of traces do to JSON; null where it is none. */
export function parseEvent(text: string, reviver?: Reviver): Readonly<Record<string, unknown>> | null {
  return parse(text, reviver) ?? parse(mended(text), reviver);
}

function parse(text: string, reviver?: Reviver): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text, reviver) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Words and escapes that are no JSON, but that writers of traces use: `NaN`, `inf`, `\\d`. */
function mended(text: string): string {
  const tokens = /"(?:\\.|[^"\\])*"|-?(?:nan|inf(?:inity)?)\b/gi;
  return text.replace(tokens, token =>
    token.startsWith('"') ? token.replace(/\\(?!["\\/bfnrtu])/g, '\\\\') : `"${token}"`,
  );
}
