// A deliberate fault: replaces one text of a file by another.

/** Returns a text with a fault inserted; throws unless the text to replace occurs exactly once. */
export function withFault(source, {file, text, replacement}) {
  const places = source.split(text).length - 1;
  if (places !== 1) throw new Error(`${file} has the text of a fault ${places} times, not once: ${text}`);
  return source.replace(text, () => replacement);
}
