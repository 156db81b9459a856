import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {project} from './project.js';

/** The Chinese texts of the extension host and the webviews, by their English ones. */
export const chineseTexts = JSON.parse(
  readFileSync(join(project, 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8'),
) as Readonly<Record<string, string>>;

/** Puts translations into the page, as the extension host does. Views read them when their modules are loaded. */
export function translatePage(translations: Readonly<Record<string, string>>): void {
  const words = document.createElement('script');
  words.type = 'application/json';
  words.id = 'translations';
  words.textContent = JSON.stringify(translations);
  document.head.append(words);
}

/**
 * Translates a text into a made-up language: puts it in brackets, except its fields, whose values come between the
 * brackets.
 */
export const pseudo = (text: string): string =>
  text.replace(
    /(\{\d+\})|((?:(?!\{\d+\})[^])+)/g,
    (_, field?: string, words?: string) => field ?? `[!!${words ?? ''}!!]`,
  );

/** Every text in the made-up language, by its English one. */
export const pseudoWords: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(chineseTexts).map(text => [text, pseudo(text)]),
);

/** Figures, with their units and signs; single letters are keys. */
const isFigure = (text: string): boolean =>
  text.split(/[^\p{L}]+/u).every(word => word.length < 2 || /^(?:[nµm]s|min|[kMGT]i?B|[GC]PU)$/.test(word));

/** Returns the parts of texts outside of the brackets of {@link pseudo}, except figures. */
export function outsideOfWords(texts: readonly string[]): string[] {
  const outside = texts.flatMap(text => text.split(/\[!!.*?!!\]/s)).map(text => text.trim());
  return [...new Set(outside)].filter(text => !isFigure(text)).sort();
}

/**
 * Returns an element's texts and labels outside of the brackets of {@link pseudo}.
 *
 * @param isKnown returns whether a text is not the view's own, such as a name in a file
 */
export function untranslated(root: HTMLElement, isKnown: (text: string) => boolean): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) found.push(texts.currentNode.textContent ?? '');
  for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext', 'aria-description'])
    for (const one of root.querySelectorAll(`[${name}]`)) found.push(one.getAttribute(name) ?? '');
  return outsideOfWords(found).filter(text => !isKnown(text));
}
