// Measures one of our views in Chromium, with the engine behind it, as described in test/bench/view.
import {spawn} from 'node:child_process';
import esbuild from 'esbuild';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {chromium} from 'playwright-core';
import {bundleProgram} from './bundle-program.mjs';
import {chromiumFlags, ensureChromium} from './chromium.mjs';
import {must, node24, out, root} from './run.mjs';

const width = 1400;
const height = 700;

/** Builds the programs that `measureView` runs. */
export async function buildViewBench() {
  await must(node24, ['esbuild.mjs', '--production'], {quiet: true});
  await esbuild.build({
    entryPoints: [join(root, 'test', 'bench', 'view', 'page.ts')],
    bundle: true,
    outfile: join(out, 'view-bench', 'page.js'),
    format: 'iife',
  });
  return bundleProgram(join('bench', 'view', 'server.ts'), join(out, 'view-bench', 'server.mjs'));
}

/**
 * Returns the figures of `expression` in the page of a view (`timeline`, `tables`) that shows a profile, and the memory
 * of its page afterwards, without garbage.
 */
export async function measureView(server, view, file, expression) {
  const process = spawn(node24, [server, join(root, 'dist'), view, file], {stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise(resolve => process.once('exit', resolve));
  const browser = await chromium.launch({executablePath: await ensureChromium(), args: chromiumFlags});
  try {
    const url = await firstLine(process.stdout, ended);
    const page = await browser.newPage({viewport: {width, height}});
    const faults = [];
    page.on('pageerror', error => faults.push(error.message));
    await page.goto(url);
    const figures = await page.evaluate(expression);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const {usedSize, backingStorageSize = 0} = await session.send('Runtime.getHeapUsage');
    return {...figures, heapBytes: usedSize + backingStorageSize};
  } finally {
    await browser.close();
    process.kill();
    await ended;
  }
}

/**
 * Returns the value of each of the `expressions`, one after another, in an empty page of Chromium with the program at
 * `source`.
 */
export async function measurePage(source, expressions) {
  const {outputFiles} = await esbuild.build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
  });
  const browser = await chromium.launch({executablePath: await ensureChromium(), args: chromiumFlags});
  try {
    const page = await browser.newPage();
    await page.addScriptTag({content: outputFiles[0].text});
    const results = [];
    for (const expression of expressions) results.push(await page.evaluate(expression));
    return results;
  } finally {
    await browser.close();
  }
}

async function firstLine(stream, ended) {
  const lines = createInterface({input: stream});
  const line = await Promise.race([new Promise(resolve => lines.once('line', resolve)), ended.then(() => null)]);
  if (line === null) throw new Error('The server of the benchmark ended.');
  return line;
}
