/**
 * What a terminal, an editor or a spreadsheet obeys instead of showing it: control characters (C0, DEL, C1), separators
 * of lines and paragraphs, and marks that turn the direction of the text behind them.
 */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;
const obeyedInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

let isExact = false;

/** Makes all texts come out as they are in the file, from now on or no longer: the command line's `--exact`. */
export function writeExactly(exact: boolean): void {
  isExact = exact;
}

/** Returns a text of a stranger's file without the characters that a terminal would obey: each run of them is a space. */
export function oneLine(text: string): string {
  return isExact ? text : text.replace(obeyed, ' ');
}

/** Returns JSON with those of its characters escaped that a terminal would obey: it means the same. */
export function terminalJson(json: string): string {
  return isExact
    ? json
    : json.replace(obeyedInJson, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const formulaStart = /^\s*[=+\-@]./;
const number = /^[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?( ?%)?$/i;

/**
 * A field of a CSV: quoted where it must be, quotes doubled. A text that a spreadsheet would take for a formula begins
 * with an apostrophe; numbers stay as they are.
 */
export function csvCell(text: string): string {
  const line = oneLine(text);
  const neutral = !isExact && formulaStart.test(line) && !number.test(line) ? `'${line}` : line;
  return /[",\r\n]/.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}

/**
 * A cell of a Markdown table that people read as a text, too: a backslash stands before marks that could mean something in
 * the midst of a line (pictures, links, HTML, emphasis, addresses), and figures stay as they are.
 */
export function markdownCell(text: string): string {
  return oneLine(text)
    .replace(/[\\|<[\]`*~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww\./gi, 'www\\.');
}

/** Text between tags or inside quotes of XML or HTML; what neither can hold (control characters, halves of pairs) is a space. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"']/g, letter => `&#${String(letter.charCodeAt(0))};`);
}
