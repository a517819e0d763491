type Paint = (text: string) => string;

export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  cyan: Paint;
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/**
 * Returns the colors for a stream: none unless it is a terminal. NO_COLOR (no-color.org) turns them off, and FORCE_COLOR on;
 * an empty value counts as unset, and FORCE_COLOR=0 as off.
 */
export function styleFor(stream: { isTTY: boolean }, env: NodeJS.ProcessEnv): Style {
  const isColored = hasColor(stream, env);
  const paints = Object.entries(CODES).map(([name, [on, off]]) => {
    const paint: Paint = (text) => (isColored && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text);
    return [name, paint];
  });
  return Object.fromEntries(paints) as unknown as Style;
}

function hasColor(
  stream: { isTTY: boolean },
  { NO_COLOR = '', FORCE_COLOR = '', TERM = '' }: NodeJS.ProcessEnv,
): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return stream.isTTY && TERM !== 'dumb';
}
