/** What text needs to be read (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;
/** How much of an accent is in the background of what it marks, and how much a button changes below the pointer. */
const SUBTLE_SHARE = { light: 0.08, dark: 0.16 } as const;
const HOVER_SHARE = 0.14;

/** The surfaces of app/globals.css, and the color on them that is farthest from all. */
const SCHEMES = {
  light: { surfaces: ['#fbfbfc', '#ffffff', '#f4f4f6'], farthest: '#000000', onAccent: '#ffffff' },
  dark: { surfaces: ['#0b0b0d', '#121215', '#1a1a1e'], farthest: '#ffffff', onAccent: '#0b0b0d' },
} as const;

export type Scheme = keyof typeof SCHEMES;

/** The custom properties of app/globals.css that an accent sets. */
export interface AccentColors {
  '--accent': string;
  '--accent-hover': string;
  '--accent-text': string;
  '--accent-subtle': string;
  '--on-accent': string;
}

/**
 * Returns the colors that a chosen accent sets in a scheme. It stays as it is where it can be read on every surface, and gets darker or
 * lighter until it can elsewhere. What is written on it can then be read, too.
 * @param chosen as #rrggbb
 */
export function accentColors(chosen: string, scheme: Scheme): AccentColors {
  const { surfaces, farthest, onAccent } = SCHEMES[scheme];
  const subtle = mix(surfaces[1], chosen, SUBTLE_SHARE[scheme]);
  const isReadable = (color: string) =>
    [...surfaces, subtle].every((surface) => contrastOf(color, surface) >= MIN_CONTRAST);
  const shares = Array.from({ length: 100 }, (_, step) => step / 100);
  const share = shares.find((each) => isReadable(mix(chosen, farthest, each))) ?? 1;
  const accent = mix(chosen, farthest, share);
  return {
    '--accent': accent,
    '--accent-hover': mix(accent, farthest, HOVER_SHARE),
    '--accent-text': accent,
    '--accent-subtle': subtle,
    '--on-accent': onAccent,
  };
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, share: number): string {
  const target = partsOf(to);
  const mixed = partsOf(from).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
