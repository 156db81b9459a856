/**
 * Returns Markdown that shows a text unchanged, on one line. Names come from untrusted files, so every character that
 * could have a meaning (links, HTML, tables, addresses) gets a backslash.
 */
export function markdownText(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
  return line.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Returns the address of a link that runs a command of the editor. */
export function commandLink(command: string, args: readonly unknown[]): string {
  const encoded = encodeURIComponent(JSON.stringify(args)).replace(
    /[()']/g,
    letter => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `command:${command}?${encoded}`;
}
