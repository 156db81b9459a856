import {formatCount} from '../../src/core/format/count.js';

/** The id of the element that holds the translations. `src/host/views/webview-html.ts` writes it. */
const elementId = 'translations';

/** Translations by their English text; empty in English, and where there is no page. */
const translations = readTranslations();

/**
 * Returns a text of a view in the editor's language, as `vscode.l10n.t` does in the extension host.
 *
 * @param text the English text, which is the key in `l10n/bundle.l10n.*.json`; an untranslated text stays English
 * @param values take the places of `{0}`, `{1}` and so on; they are text, and are not translated
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  // Only what the bundle has itself: "constructor" is no text of it.
  const translated = Object.hasOwn(translations, text) ? translations[text] : text;
  return translated.replace(/\{(\d+)\}/g, (field, at: string) => String(values[Number(at)] ?? field));
}

/**
 * Returns `one` for a count of 1, else `many`, in the editor's language.
 *
 * @param values the first, `{0}`, is the count; these follow it
 */
export function counted(count: number, one: string, many: string, ...values: readonly (string | number)[]): string {
  return t(count === 1 ? one : many, formatCount(count), ...values);
}

function readTranslations(): Readonly<Record<string, string>> {
  const found = typeof document === 'undefined' ? null : document.querySelector(`#${elementId}`);
  return found === null ? {} : (JSON.parse(found.textContent) as Record<string, string>);
}
