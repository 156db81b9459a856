import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {brotliDecompress} from 'node:zlib';
import {TraceError} from '../core/base/errors.js';

const unpack = promisify(brotliDecompress);

/** What the font has nearly all of: Latin, Greek and Cyrillic, punctuation, arrows, signs of mathematics, shapes. */
const isBeyondFont = /[^\u0000-\u024f\u0300-\u045f\u1e00-\u1fff\u2000-\u22ff\u2500-\u25ff]/;

/** A picture of pixels, and what there is to say of it. */
export interface PaintedPicture {
  readonly png: Uint8Array;
  readonly notes: readonly string[];
}

/**
 * Paints an SVG as it is, a pixel per px, as PNG.
 *
 * The painter is WebAssembly, packed by the build, and the font a file beside the bundle: the same picture on every machine, also where there
 * is neither a browser nor a font. Nothing outside is read: an SVG that names a file is painted without it.
 *
 * @throws TraceError `file/unwritable`
 */
export async function paintSvg(svg: string): Promise<PaintedPicture> {
  const [program, font, {initWasm, Resvg}] = await Promise.all([
    readFile(join(__dirname, 'resvg.wasm.br')).then(unpack),
    readFile(join(__dirname, 'dejavu-mono.woff2')),
    import('@resvg/resvg-wasm'),
  ]);
  try {
    started ??= initWasm(program);
    await started;
    const family = 'DejaVu Sans Mono';
    const painter = new Resvg(svg, {font: {fontBuffers: [font], defaultFontFamily: family, monospaceFamily: family}});
    return {png: painter.render().asPng(), notes: isBeyondFont.test(svg) ? [lettersNote] : []};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TraceError('file/unwritable', `The picture cannot be painted as PNG (${reason}): --to svg has it.`, {
      cause: error,
    });
  }
}

const lettersNote =
  'Letters of names that are neither Latin, Greek nor Cyrillic may be boxes in this PNG: SVG has them all.';

/** It can be started once. */
let started: Promise<void> | undefined;
