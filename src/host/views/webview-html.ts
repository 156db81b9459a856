import {randomBytes} from 'node:crypto';
import * as vscode from 'vscode';

/**
 * Returns a webview's page by its bundle in dist/webview: the toolkit, its script and style, and our translations.
 * Data is sent by messages, never in the page; the policy allows only our own files and this nonce. The toolkit reads
 * the nonce from the meta element.
 */
export function webviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri, bundle: string, title: string): string {
  const nonce = randomBytes(16).toString('hex');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  const {bundle: translations} = vscode.l10n;
  return `<!DOCTYPE html>
<html lang="${translations ? vscode.env.language : 'en'}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(`${bundle}.css`)}">
<title>${title}</title>
</head>
<body>
<main><h1>${title}</h1></main>
${translations ? `${translationsElement(translations)}\n` : ''}<script nonce="${nonce}" src="${file('toolkit.js')}"></script>
<script nonce="${nonce}" src="${file(`${bundle}.js`)}"></script>
</body>
</html>`;
}

/** Returns the data block that `webview/shared/translate.ts` reads. It is never run, so the policy need not allow it. */
function translationsElement(translations: Readonly<Record<string, string>>): string {
  // No text can end the element, or begin a comment in it.
  const json = JSON.stringify(translations).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="translations">${json}</script>`;
}

/** Returns the permissions of our webviews. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')]};
}
