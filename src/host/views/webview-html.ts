import {randomBytes} from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The page of a webview, by its bundle in dist/webview: the toolkit, its script and style, and our own translations. Data comes by messages, never in
 * the page; the policy lets only our own files and this nonce through. The toolkit reads the nonce from the meta element.
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

/** What `webview/shared/translate.ts` reads: a block of data, which is never run and needs no leave of the policy. */
function translationsElement(translations: Readonly<Record<string, string>>): string {
  // No text can end the element, or begin a comment in it.
  const json = JSON.stringify(translations).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="translations">${json}</script>`;
}

/** What a webview of ours may do. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')]};
}
