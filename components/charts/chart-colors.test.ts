import fs from 'node:fs';
import { describe, expect, it } from 'vitest';

const CSS = fs.readFileSync('app/globals.css', 'utf8');

/** Returns the colors of a block of app/globals.css by their token. */
function tokensOf(selector: string): Map<string, string> {
  const start = CSS.indexOf(`\n${selector} {`);
  const block = CSS.slice(start, CSS.indexOf('\n}', start));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]));
}

/** The relative luminance of WCAG 2. */
function luminance(hex = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a = '', b = ''): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

describe.each([':root', '.dark'])('the colors of charts in %s', (selector) => {
  const tokens = tokensOf(selector);
  const onCard = (name: string) => contrast(tokens.get(name), tokens.get('surface'));

  it('have a contrast of 3:1 on a card', () => {
    const names = [...tokens.keys()].filter((name) => name.startsWith('chart-'));
    expect(names).toHaveLength(5);
    expect(names.filter((name) => !(onCard(name) >= 3))).toEqual([]);
  });

  it('emphasize the first line over the second', () => {
    expect(onCard('chart-primary')).toBeGreaterThan(1.3 * onCard('chart-secondary'));
  });
});

it('a raised surface is lighter than the sunken one that it lies on', () => {
  for (const selector of [':root', '.dark']) {
    const tokens = tokensOf(selector);
    expect(luminance(tokens.get('raised'))).toBeGreaterThan(luminance(tokens.get('sunken')));
  }
});
