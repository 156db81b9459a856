/**
 * Characters that a terminal, an editor or a spreadsheet interprets instead of showing them: control characters (C0,
 * DEL, C1), separators of lines and paragraphs, and marks that change the direction of the following text.
 */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;
const obeyedInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

let isExact = false;

/** Sets whether all texts are written exactly as in the file: the command line's `--exact`. */
export function writeExactly(exact: boolean): void {
  isExact = exact;
}

/**
 * Returns a text from an untrusted file without the characters that a terminal would interpret: each run of them
 * becomes a space.
 */
export function oneLine(text: string): string {
  return isExact ? text : text.replace(obeyed, ' ');
}

/** Returns JSON in which characters that a terminal would interpret are escaped, with the same meaning. */
export function terminalJson(json: string): string {
  return isExact
    ? json
    : json.replace(obeyedInJson, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const formulaStart = /^\s*[=+\-@]./;
const number = /^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?( ?%)?$/i;

/**
 * Returns a field of a CSV: quoted if needed, quotes doubled. If a spreadsheet would take a text for a formula, it
 * begins with an apostrophe; numbers are unchanged.
 */
export function csvCell(text: string): string {
  const line = oneLine(text);
  const neutral = !isExact && formulaStart.test(line) && !number.test(line) ? `'${line}` : line;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}

/**
 * Returns a cell of a Markdown table that is also readable as plain text: a backslash precedes characters that have a
 * meaning within a line (pictures, links, HTML, emphasis, addresses); figures are unchanged.
 */
export function markdownCell(text: string): string {
  return oneLine(text)
    .replace(/[\\|<[\]`*~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, 'www\\.');
}

/**
 * Returns text for use between tags or inside quotes of XML or HTML. Characters that are invalid in both (control
 * characters, unpaired surrogates) become spaces.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, letter => `&#${String(letter.charCodeAt(0))};`);
}
