/** How colours are seen: with normal vision, and without one of the three kinds of cones. */
export const visions = ['normal', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
export type Vision = (typeof visions)[number];

type Triple = readonly [number, number, number];

/** Linear RGB to linear RGB: Machado, Oliveira and Fernandes 2009, table 1, severity 1. */
const matrices: Readonly<Record<Vision, readonly [Triple, Triple, Triple]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Returns the linear RGB of a colour such as `hsl(210 50% 30%)` or `#1b1b1b`. */
function linearRgb(color: string): Triple {
  const channels = color.startsWith('#') ? hexChannels(color) : hslChannels(color);
  const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
  return [linear(channels[0]), linear(channels[1]), linear(channels[2])];
}

function hexChannels(color: string): Triple {
  const at = (place: number) => parseInt(color.slice(place, place + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

function hslChannels(color: string): Triple {
  const [, hue, saturation, lightness] = /^hsl\(([\d.]+) ([\d.]+)% ([\d.]+)%\)$/.exec(color)?.map(Number) ?? [];
  if (hue === undefined || saturation === undefined || lightness === undefined) throw new Error(`No colour: ${color}`);
  const light = lightness / 100;
  const reach = Math.min(1, saturation / 100) * Math.min(light, 1 - light);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Returns the OKLab of a colour as it is seen: Ottosson 2020. */
export function seenAs(color: string, vision: Vision): Triple {
  const seen = times(matrices[vision], linearRgb(color)).map(channel => Math.min(1, Math.max(0, channel)));
  const [r = 0, g = 0, b = 0] = seen;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function times(rows: readonly [Triple, Triple, Triple], [x, y, z]: Triple): number[] {
  return rows.map(([a, b, c]) => a * x + b * y + c * z);
}

/** Returns the distance of two colours as they are seen, in OKLab: about 0.02 is just noticeable side by side. */
export function seenDistance(one: string, other: string, vision: Vision): number {
  const [a, b] = [seenAs(one, vision), seenAs(other, vision)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns WCAG's contrast ratio of two colours. */
export function contrastOf(one: string, other: string): number {
  const luminance = (color: string) => {
    const [r, g, b] = linearRgb(color);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
