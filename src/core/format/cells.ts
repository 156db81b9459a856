/** Names come from strangers' files: control characters must not reach a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** A field of a CSV: quoted where it must be, quotes doubled. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
