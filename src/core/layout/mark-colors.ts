/** What colours of marks follow. */
export interface ThemeKind {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
}

/** What a mark is painted with. */
export interface MarkColors {
  readonly fill: string;
  readonly text: string;
}

/**
 * Hues that stay apart for eyes that do not tell red from green, after Okabe and Ito's palette: blue, orange, teal,
 * vermilion, sky, yellow, purple. Lightness is the theme's, so that labels stay readable.
 */
const hues = [210, 35, 165, 15, 200, 50, 325, 265];

const cache = new Map<string, MarkColors>();

/** The colour of a name: the same name has the same colour everywhere and every time. */
export function nameColors(name: string, theme: ThemeKind): MarkColors {
  return cached(`name ${name}`, theme, () => {
    const hash = hashOf(name);
    const hue = hues[hash % hues.length] ?? 0;
    const shade = (Math.floor(hash / hues.length) % 5) * 3;
    return markColors(hue, 45, shade, theme);
  });
}

/** The colour of a kind of slice: what a GPU does must be told apart at a glance. */
export function kindColors(kind: string, name: string, theme: ThemeKind): MarkColors {
  const hue = hueOfKind[kind];
  if (hue === undefined) return nameColors(name, theme);
  return cached(`kind ${kind} ${name}`, theme, () => markColors(hue, 50, (hashOf(name) % 5) * 3, theme));
}

/** Operators, API calls and waits by kind; kernels and tagged ranges by their names. */
const hueOfKind: Readonly<Record<string, number | undefined>> = {
  gpu_memcpy: 50,
  gpu_memset: 35,
  cuda_runtime: 200,
  cuda_driver: 200,
  cuda_sync: 15,
  page_fault: 15,
  overhead: 15,
  osrt: 265,
  mpi: 325,
  thread_running: 165,
};

/** What stands for many slices, or for nothing in particular. */
export function neutralColors(theme: ThemeKind): MarkColors {
  return cached('neutral', theme, () => markColors(0, 0, 0, theme));
}

function markColors(hue: number, saturation: number, shade: number, theme: ThemeKind): MarkColors {
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

/** Colours of a hue, cached: for marks whose hue says what they are. `shade` makes them lighter or darker, 0 to 21. */
export function hueColors(hue: number, shade: number, theme: ThemeKind, saturation = 55): MarkColors {
  const key = `hue ${String(hue)} ${String(saturation)} ${String(shade)}`;
  return cached(key, theme, () => markColors(hue, saturation, shade, theme));
}
