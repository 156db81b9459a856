/** A statement's place in a text, from its first word to its last letter; without the semicolon. */
export interface StatementPlace {
  readonly start: number;
  readonly end: number;
}

/** Quoted texts and comments, in which semicolons do not end a statement. An unclosed one extends to the end. */
const opaque = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

/** Returns the statements of a text, without comments before the first word. */
export function splitStatements(text: string): StatementPlace[] {
  const places: StatementPlace[] = [];
  let start = -1;
  let end = -1;
  for (let at = 0; at < text.length;) {
    const length = opaqueLength(text, at);
    const isComment = length > 0 && (text[at] === '-' || text[at] === '/');
    const letters = Math.max(1, length);
    if (text[at] === ';') {
      if (start >= 0) places.push({start, end});
      start = -1;
    } else if (!isComment && (length > 0 || text[at].trim() !== '')) {
      if (start < 0) start = at;
      end = at + letters;
    }
    at += letters;
  }
  if (start >= 0) places.push({start, end});
  return places;
}

function opaqueLength(text: string, at: number): number {
  opaque.lastIndex = at;
  return opaque.exec(text)?.[0].length ?? 0;
}

/** Returns the statement at or right before a position, else the previous one, else the first; null without any. */
export function statementAt(text: string, position: number): StatementPlace | null {
  const places = splitStatements(text);
  const around = places.find(({start, end}) => start <= position && position <= end + 1);
  return around ?? places.findLast(({start}) => start <= position) ?? places.at(0) ?? null;
}

/** Returns the first words of a statement in lower case, without comments: enough to know what it does. */
export function firstWords(statement: string): string[] {
  const plain = statement.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  return (plain.slice(0, 200).match(/\w+/g) ?? []).slice(0, 4).map(word => word.toLowerCase());
}
