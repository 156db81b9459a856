/** The properties of a theme that determine colours of marks. */
export interface ThemeKind {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
}

/** The colours of a mark. */
export interface MarkColors {
  readonly fill: string;
  readonly text: string;
}

/** Hue, saturation and shade. The theme sets the lightness, so that labels stay readable. */
type Paint = readonly [hue: number, saturation: number, shade: number];

/**
 * The colours of names. There are more names than distinguishable colours, so some names share one; hashing gives a
 * name the same colour in every view. Ten calm colours can be told apart as well as the classes' in every theme, also
 * by colour-blind people, with labels at a contrast of 4.5. Hues alone are not enough: many are told apart by lightness
 * (test/webview/palette.test.ts). Colour is never the only distinction: slices also have labels, and gaps or edges
 * between them.
 */
export const namePaints: readonly Paint[] = [
  [219, 55, 13],
  [15, 57, 2],
  [272, 20, 21],
  [76, 58, 0],
  [206, 60, 0],
  [7, 32, 21],
  [332, 23, 15],
  [219, 60, 20],
  [353, 19, 9],
  [233, 55, 2],
];

const cache = new Map<string, MarkColors>();

/** Returns the colour of a name: always the same for the same name. */
export function nameColors(name: string, theme: ThemeKind): MarkColors {
  return cached(`name ${name}`, theme, () => paintColors(namePaints[hashOf(name) % namePaints.length], theme));
}

/** Returns the colour of an entry in a list: the first ten are all different. */
export function placeColors(place: number, theme: ThemeKind): MarkColors {
  const at = place % namePaints.length;
  return cached(`place ${String(at)}`, theme, () => paintColors(namePaints[at], theme));
}

/** Returns the colour of a kind of slice, so that a thread's activities can be told apart at a glance. */
export function kindColors(kind: string, name: string, theme: ThemeKind): MarkColors {
  const paint = paintOfKind[kind];
  if (paint === undefined) return nameColors(name, theme);
  return cached(`kind ${kind} ${name}`, theme, () => {
    const [hue, saturation, shade] = paint;
    return paintColors([hue, saturation, shade + (hashOf(name) % 2) * otherNameShade], theme);
  });
}

/** Within a kind, names differ slightly: half of them are this much lighter, or darker in a light theme. */
const otherNameShade = 3;
const callPaint: Paint = [218, 74, 16];
const waitPaint: Paint = [4, 73, 5];

/** API calls and waits are coloured by kind; operators and tagged ranges by name; GPU work by class. */
export const paintOfKind: Readonly<Record<string, Paint | undefined>> = {
  cuda_runtime: callPaint,
  cuda_driver: callPaint,
  cuda_sync: waitPaint,
  page_fault: waitPaint,
  overhead: waitPaint,
  osrt: [278, 53, 3],
  mpi: [329, 74, 16],
  thread_running: [153, 27, 0],
};

/** Returns the colours of marks for many slices, or for nothing in particular. */
export function neutralColors(theme: ThemeKind): MarkColors {
  return cached('neutral', theme, () => paintColors([0, 0, 0], theme));
}

function paintColors([hue, saturation, shade]: Paint, theme: ThemeKind): MarkColors {
  if (theme.isHighContrast) {
    return theme.isDark
      ? {fill: hsl(hue, saturation, 22 + shade), text: '#ffffff'}
      : {fill: hsl(hue, saturation, 88 - shade), text: '#000000'};
  }
  return theme.isDark
    ? {fill: hsl(hue, saturation, 30 + shade), text: '#ffffff'}
    : {fill: hsl(hue, saturation * 1.3, 80 - shade), text: '#1b1b1b'};
}

function cached(key: string, theme: ThemeKind, create: () => MarkColors): MarkColors {
  const full = `${String(theme.isDark)} ${String(theme.isHighContrast)} ${key}`;
  let colors = cache.get(full);
  if (!colors) cache.set(full, (colors = create()));
  return colors;
}

function hsl(hue: number, saturation: number, lightness: number): string {
  return `hsl(${String(hue)} ${String(saturation)}% ${String(lightness)}%)`;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/**
 * Returns the colours of a hue, cached, for marks whose hue has a meaning. `shade` makes them lighter or darker, 0 to
 * 21.
 */
export function hueColors(hue: number, shade: number, theme: ThemeKind, saturation = 55): MarkColors {
  const key = `hue ${String(hue)} ${String(saturation)} ${String(shade)}`;
  return cached(key, theme, () => paintColors([hue, saturation, shade], theme));
}

/**
 * Returns the colour of an area that shows an amount by its height alone, without an edge or a label: its contrast with
 * the background of a dark or a light theme is at least 3. Between those of marks it would be too pale.
 */
export function areaColor(hue: number): string {
  return hsl(hue, 50, 40);
}
