import {drawFlame, flameHeightPx} from '../../src/core/flame/draw-flame.js';
import {foldedStacks, speedscopeFile} from '../../src/core/flame/flame-export.js';
import {cutPictureNote, flameSvg, highestPicturePx} from '../../src/core/flame/flame-svg.js';
import type {FlameView} from '../../src/core/flame/draw-flame.js';
import type {FileToSave} from '../../src/protocol/view-messages.js';
import {readTheme} from '../shared/theme.js';
import {t} from '../shared/translate.js';

export const pictureFormats = ['SVG', 'PNG', 'Folded stacks', 'Speedscope'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Returns the message after a picture has been saved. */
export function savedText({layout}: FlameView, format: PictureFormat, ratio: number): string {
  const note = format === 'PNG' ? cutPictureNote(layout, ratio) : '';
  return t('Saved as {0}.{1}', format, note === '' ? '' : ` ${note}`);
}

/** Returns the flame graph as a file: pictures as seen, with all rows; stacks as numbers. */
export async function pictureFile(view: FlameView, format: PictureFormat, profileName: string): Promise<FileToSave> {
  const base = `${profileName.replace(/(\.pt)?(\.trace)?\.(json|sqlite|nsys-rep)(\.gz|\.zst)?$/i, '')}.flame`;
  switch (format) {
    case 'SVG':
      return {name: `${base}.svg`, content: flameSvg(view.graph, readTheme(), {...view, hovered: -1})};
    case 'PNG':
      return {name: `${base}.png`, content: await png(view)};
    case 'Folded stacks':
      return {name: `${base}.folded`, content: foldedStacks(view.graph)};
    case 'Speedscope':
      return {name: `${base}.speedscope.json`, content: speedscopeFile(view.graph, profileName)};
  }
}

async function png(view: FlameView): Promise<Uint8Array> {
  const {widthPx} = view;
  const ratio = window.devicePixelRatio;
  const heightPx = Math.min(flameHeightPx(view.layout), highestPicturePx / ratio);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(widthPx * ratio);
  canvas.height = Math.round(heightPx * ratio);
  const context = canvas.getContext('2d', {alpha: false});
  if (!context) throw new Error(t('This editor has no canvas.'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawFlame(context, {...view, heightPx, scrollPx: 0, hovered: -1}, readTheme());
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(t('The picture is too large for a PNG.'));
  return new Uint8Array(await blob.arrayBuffer());
}
