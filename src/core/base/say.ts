/**
 * The translations of what the core says, by their English text; none in English. Each process has its own: the extension
 * host, the engine and the views set them when they start, the command line never does.
 */
let words: Readonly<Record<string, string>> = {};

/** Sets the translations for everything that is said from now on. @param table none where English is spoken */
export function setWords(table: Readonly<Record<string, string>> | undefined): void {
  words = table ?? {};
}

/**
 * Returns a text in the editor's language.
 *
 * @param text the English text, which is the key in `l10n/bundle.l10n.*.json`; an untranslated text stays English
 * @param values take the places of `{0}`, `{1}` and so on; they are text, and are not translated
 */
export function say(text: string, ...values: readonly (string | number)[]): string {
  // Only the table's own texts count: "constructor" is none of them.
  const said = Object.hasOwn(words, text) ? words[text] : text;
  return values.length === 0
    ? said
    : said.replace(/\{(\d+)\}/g, (field, at: string) => String(values[Number(at)] ?? field));
}

/**
 * Marks a text that is said later, and returns it: constants are made before the words are set, and texts that others look
 * things up by must stay English.
 */
export const template = <Text extends string>(text: Text): Text => text;
