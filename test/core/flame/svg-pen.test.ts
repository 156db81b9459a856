import {describe, expect, it} from 'vitest';
import {drawFlame, flameHeightPx, type FlameTheme, type FlameView} from '../../../src/core/flame/draw-flame.js';
import {flameSvg, paperTheme} from '../../../src/core/flame/flame-svg.js';
import type {FlameQuery} from '../../../src/core/flame/flame-graph.js';
import {searchFlame} from '../../../src/core/flame/flame-search.js';
import {flameLayout} from '../../../src/core/flame/flame-layout.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {randomTrace} from '../../support/random-trace.js';

/** A rectangle or text as both ways of painting have it: places in hundredths of a px. */
type Mark = readonly (string | number)[];

/** A canvas context that remembers what is painted; letters are as wide as the SVG takes them to be. */
function canvasMarks(view: FlameView, theme: FlameTheme): Mark[] {
  const marks: Mark[] = [];
  const at = (...places: readonly number[]) => places.map(px => Math.round(px * 100));
  const pen = {
    ...{fillStyle: '' as unknown, strokeStyle: '' as unknown, lineWidth: 1, globalAlpha: 1},
    ...{textBaseline: '' as unknown, font: ''},
    measureText: (text: string) => ({width: text.length * 7.3}),
    fillRect(...place: [number, number, number, number]) {
      marks.push(['fill', ...at(...place), String(pen.fillStyle), pen.globalAlpha]);
    },
    strokeRect(...place: [number, number, number, number]) {
      marks.push(['stroke', ...at(...place), String(pen.strokeStyle), pen.lineWidth]);
    },
    fillText(text: string, leftPx: number, middlePx: number) {
      marks.push(['text', ...at(leftPx, middlePx), String(pen.fillStyle), text]);
    },
  };
  drawFlame(pen, view, theme);
  return marks;
}

/** The same, read from an SVG's text. */
function svgMarks(svg: string): Mark[] {
  const plain = (text: string) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return [...svg.matchAll(/<(rect|text) ([^>]*?)\/?>([^<]*)/g)].map(([, tag, attributes = '', text = '']) => {
    const get = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const at = (...names: readonly string[]) => names.map(name => Math.round(Number(get(name)) * 100));
    if (tag === 'text') return ['text', ...at('x', 'y'), get('fill'), plain(text)];
    const place = at('x', 'y', 'width', 'height');
    if (get('fill') === 'none') return ['stroke', ...place, get('stroke'), Number(get('stroke-width'))];
    return ['fill', ...place, get('fill'), Number(get('opacity') || 1)];
  });
}

const highContrast: FlameTheme = {...paperTheme, isDark: true, isHighContrast: true, background: '#000000'};

describe('flameSvg(graph, theme, view)', () => {
  it.each<readonly [string, FlameQuery, FlameTheme, Partial<FlameView>]>([
    ['the whole', {weight: 'gpu-work'}, paperTheme, {}],
    [
      'what is zoomed, searched and focused',
      {weight: 'gpu-work'},
      paperTheme,
      {window: {x0: 0.2, x1: 0.6}, focused: 2},
    ],
    ['callers and callees', {weight: 'launches', mode: 'inverted'}, paperTheme, {}],
    ['high contrast', {weight: 'cpu', isFolded: true}, highContrast, {focused: 1}],
  ])(
    'paints %s as the canvas does: the same blocks, colours and texts in the same places',
    (_, query, theme, change) => {
      for (let seed = 0; seed < 10; seed++) {
        const graph = flameGraph(randomTrace(seed), query);
        const layout = flameLayout(graph);
        const isMatch = change.focused === undefined ? null : searchFlame(graph, 'k').isMatch;
        const view: FlameView = {
          ...{graph, layout, window: {x0: 0, x1: 1}, widthPx: 900, heightPx: Math.max(1, flameHeightPx(layout))},
          ...{scrollPx: 0, hovered: -1, focused: -1, isMatch, ...change},
        };
        // A font of another name: what one of them measured is not remembered for the other.
        const painted = canvasMarks(view, {...theme, font: `"as measured", ${theme.font}`});
        expect(svgMarks(flameSvg(graph, theme, view))).toEqual(painted);
        expect(painted.length).toBeGreaterThan(3);
      }
    },
  );
});
