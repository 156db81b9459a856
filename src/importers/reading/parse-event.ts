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

const bareWord = '-?(?:nan|inf(?:inity)?)';
const wholeBareWord = new RegExp(`^${bareWord}$`, 'i');
const tokens = new RegExp(String.raw`\\[\s\S]|"|${bareWord}\b`, 'gi');

/** Whether a text may stand for a word that is no JSON: `parseEvent` makes texts of them. */
export function isBareWord(text: string): boolean {
  return wholeBareWord.test(text);
}

/**
 * Words and escapes that are no JSON, but that writers of traces use: `NaN`, `inf`, `\d`. Strings are followed by hand: as
 * one pattern, a long one would overflow the stack.
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
