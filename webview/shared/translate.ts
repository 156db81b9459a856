import {setWords} from '../../src/core/base/say.js';

/** The id of the element that holds the translations. `src/host/views/webview-html.ts` writes it. */
const elementId = 'translations';

// Views request their texts while they load, and import `t` from here, so the words are set first.
setWords(readTranslations(), pageLanguage());

/**
 * Both return a text in the editor's language, as `vscode.l10n.t` does in the extension host: `t` takes the literal
 * texts of views, which a test collects, and `say` takes texts of the core.
 */
export {say, say as t} from '../../src/core/base/say.js';
export {counted} from '../../src/core/format/count.js';

function pageLanguage(): string | undefined {
  return typeof document === 'undefined' ? undefined : document.documentElement.lang || undefined;
}

function readTranslations(): Readonly<Record<string, string>> | undefined {
  const found = typeof document === 'undefined' ? null : document.querySelector(`#${elementId}`);
  return found === null ? undefined : (JSON.parse(found.textContent) as Record<string, string>);
}
