// A deliberate fault: one text of a file that is replaced by another.

/** A text with a fault put in; throws unless the text to replace is there exactly once. */
export function withFault(source, {file, text, replacement}) {
  const places = source.split(text).length - 1;
  if (places !== 1) throw new Error(`${file} has the text of a fault ${places} times, not once: ${text}`);
  return source.replace(text, () => replacement);
}
