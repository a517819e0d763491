const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
/** One cell for each code unit. */
const SIMPLE = /^[\x20-\x7e…]*$/;
let segmenter: Intl.Segmenter | undefined;

/** Made when a text needs it: it loads Unicode data, which is a part of the start that people notice. */
function charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const widthOf = (character: string) => (WIDE.test(character) ? 2 : 1);

/** Returns how many cells of a terminal a text without escape sequences takes. */
export function textWidth(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOf(segment);
  return width;
}

/** Cuts a text to a number of cells; the last one is then an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (SIMPLE.test(text)) return `${text.slice(0, Math.max(0, width - 1))}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of charactersOf(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Cuts a URL to a number of cells: first its scheme, then its middle, because the ends tell URLs apart. */
export function cutUrl(url: string, width: number): string {
  if (textWidth(url) <= width) return url;
  const text = url.replace(/^https?:\/\//, '');
  if (textWidth(text) <= width) return text;
  const end = cutToWidth([...text].reverse().join(''), Math.ceil((width + 1) / 2));
  const start = cutToWidth(text, width - textWidth(end) + 1);
  return `${start}${[...end].reverse().slice(1).join('')}`;
}

/** Fills a text with spaces to a number of cells. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
