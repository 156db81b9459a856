// Serves one of our views as a page, with the engine behind it: see scripts/lib/bench-view.mjs. node server.mjs DIST
// BUNDLE [FILE]: prints its address.
import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage} from 'node:http';
import type {AddressInfo} from 'node:net';
import {basename, join} from 'node:path';
import {EngineClient} from '../../../src/engine/client.js';
import type {EngineRequests, ProfileSummary} from '../../../src/protocol/engine-messages.js';
import type {ViewContent} from '../../../src/protocol/view-messages.js';
import {longTable} from './long-table.js';
import {encode} from './wire.js';

const [, , dist = '', bundle = '', file = ''] = process.argv;
const engine = new EngineClient({
  programPath: join(dist, 'engine.cjs'),
  settings: () => ({memoryLimitBytes: 4e9, cache: null}),
  onLost: reason => process.stderr.write(`${reason}\n`),
});
const summary = await engine.ask('profile/open', {path: file});

const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="UTF-8"><link rel="stylesheet" href="/${bundle}.css"></head>
<body class="vscode-dark"><script src="/page.js"></script><script src="/toolkit.js"></script><script src="/${bundle}.js"></script></body>
</html>`;

/** Answers the page's requests to the extension host with the engine's answers. */
async function answer(method: string, params: object): Promise<unknown> {
  if (method === 'content') return contentOf(summary);
  if (method === 'ranks/list') return null;
  if (method === 'tables/list') return longTable.list;
  if (method === 'tables/page') return longTable.page(params as Parameters<typeof longTable.page>[0]);
  const asked = {...params, profile: summary.id, key: undefined};
  return engine.ask(method as keyof EngineRequests, asked);
}

function contentOf({info, tracks, counters, steps, processes, modules, stamp}: ProfileSummary): ViewContent {
  const profile = {key: 1, identity: stamp, name: basename(file), info, tracks, counters, steps, processes, modules};
  return {state: 'open', profile, scope: null};
}

const server = createServer((request, response) => {
  // Isolated pages have a clock of 5 µs; others one of 100 µs.
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  if (request.method === 'POST') {
    void bodyOf(request)
      .then(({method, params}) => answer(method, params))
      .then(
        result => response.end(encode(result)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    return;
  }
  const name = basename(request.url ?? '/');
  if (name === '') response.setHeader('Content-Type', 'text/html').end(page);
  else if (name === 'page.js') response.end(readFileSync(join(import.meta.dirname, name)));
  else if (['toolkit.js', `${bundle}.js`, `${bundle}.css`, 'codicon.ttf'].includes(name)) {
    response.setHeader('Content-Type', name.endsWith('.css') ? 'text/css' : 'text/javascript');
    response.end(readFileSync(join(dist, 'webview', name)));
  } else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${String(port)}/\n`);
});

async function bodyOf(request: IncomingMessage): Promise<{method: string; params: object}> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as {method: string; params: object};
}
