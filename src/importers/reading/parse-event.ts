type Reviver = (key: string, value: unknown, context?: {source?: string}) => unknown;

/** Parses the text of an event, and accepts common deviations from JSON in traces; null if it is not an event. */
export function parseEvent(text: string, reviver?: Reviver): Readonly<Record<string, unknown>> | null {
  const event = parse(text, reviver);
  if (event !== null) return event;
  const mendedText = mended(text);
  return mendedText === text ? null : parse(mendedText, reviver);
}

function parse(text: string, reviver?: Reviver): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text, reviver) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const bareWord = '-?(?:nan|inf(?:inity)?)';
const wholeBareWord = new RegExp(`^${bareWord}$`, 'i');
const tokens = new RegExp(String.raw`\\[\s\S]|"|${bareWord}\b`, 'gi');

/** Returns whether a text may stand for a word that is not JSON: `parseEvent` converts such words to texts. */
export function isBareWord(text: string): boolean {
  return wholeBareWord.test(text);
}

/**
 * Replaces words and escapes that are not JSON but occur in traces: `NaN`, `inf`, `\d`. Strings are scanned by hand:
 * one pattern for them would overflow the stack on a long string.
 */
function mended(text: string): string {
  let isInString = false;
  return text.replace(tokens, token => {
    if (token === '"') isInString = !isInString;
    else if (!isInString && !token.startsWith('\\')) return `"${token}"`;
    else if (isInString && /^\\[^"\\/bfnrtu]/.test(token)) return `\\${token}`;
    return token;
  });
}
