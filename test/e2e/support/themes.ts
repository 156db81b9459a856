import {isLongSuite} from '../../support/long-tests.js';

/** The themes in which views are checked, with the classes that VS Code gives its window and webviews in each. */
export const themes = {
  'Dark Modern': {window: 'vs-dark', webview: 'vscode-dark'},
  'Light Modern': {window: 'vs', webview: 'vscode-light'},
  'Default High Contrast': {window: 'hc-black', webview: 'vscode-high-contrast'},
  'Default High Contrast Light': {window: 'hc-light', webview: 'vscode-high-contrast-light'},
} as const;
export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];
/** A light theme and a dark one with high contrast, for views that `themes.long.e2e.ts` shows in all four. */
export const everydayThemes: readonly Theme[] = ['Light Modern', 'Default High Contrast'];
/** For what `themes.long.e2e.ts` does not show. */
export const suiteThemes = isLongSuite ? themeNames : everydayThemes;
