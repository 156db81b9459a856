/**
 * The translations of the core's texts, by their English text; empty in English. The extension host, the engine and the
 * views each set their own when they start. The command line never does.
 */
let words: Readonly<Record<string, string>> = {};
let wordsLanguage = 'en';

/**
 * Sets the translations for everything that is said from now on.
 *
 * @param table undefined in English
 * @param language of the table, as in HTML's `lang`: `zh-cn`
 */
export function setWords(table: Readonly<Record<string, string>> | undefined, language = 'en'): void {
  words = table ?? {};
  wordsLanguage = table === undefined ? 'en' : language;
}

/** Returns the language of what is said, for the `lang` of a page. */
export const language = (): string => wordsLanguage;

/** Returns the translations that were set, for another thread. */
export function currentWords(): Readonly<Record<string, string>> {
  return words;
}

/**
 * Returns a text in the editor's language.
 *
 * @param text the English text, which is the key in `l10n/bundle.l10n.*.json`; an untranslated text stays English
 * @param values take the places of `{0}`, `{1}` and so on; they are text, and are not translated
 */
export function say(text: string, ...values: readonly (string | number)[]): string {
  // Own properties only: an object also inherits "constructor".
  return fill(Object.hasOwn(words, text) ? words[text] : text, ...values);
}

/** Returns a text with its values in the places of `{0}`, `{1}` and so on, without translating it. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return values.length === 0
    ? text
    : text.replace(/\{(\d+)\}/g, (field, at: string) => String(values[Number(at)] ?? field));
}

/**
 * Marks a text to be translated later by `say`, and returns it unchanged. Use it for constants, which are made before
 * the words are set, and for texts that are also keys and must stay English.
 */
export const template = <Text extends string>(text: Text): Text => text;
