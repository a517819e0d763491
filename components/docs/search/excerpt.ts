import { type Guide, paragraphsOf, plainText } from '@/components/docs/markdown/parse-guide';

/** The text of a part of a page. */
export interface PartText {
  href: string;
  /** All of it, for the search. */
  text: string;
  /** What an excerpt is taken from: tables and code are hard to read in pieces. */
  paragraphs: readonly string[];
}

/** A paragraph around the first found word, as pieces of which those with `isMatch` are found words. */
export type Excerpt = { text: string; isMatch: boolean }[];

const MAX_MARKS = 8;
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 220;

/** Returns a piece of the first paragraph with most of the words. @param words in lowercase, at least one */
export function makeExcerpt(paragraphs: readonly string[], words: readonly string[]): Excerpt {
  return excerptOf(chooseParagraph(paragraphs, words), words);
}

/** Returns the first paragraph with most of the words. */
function chooseParagraph(paragraphs: readonly string[], words: readonly string[]): string {
  let best = '';
  let most = -1;
  for (const paragraph of paragraphs) {
    const lower = paragraph.toLowerCase();
    const count = words.filter((word) => lower.includes(word)).length;
    if (count <= most) continue;
    best = paragraph;
    most = count;
  }
  return best;
}

function excerptOf(text: string, words: readonly string[]): Excerpt {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'i');
  const found = Math.max(0, text.search(pattern));
  const start = found <= EXCERPT_BEFORE ? 0 : text.indexOf(' ', found - EXCERPT_BEFORE) + 1;
  const from = start > found ? found : start;
  const isCut = from + EXCERPT_CHARS < text.length;
  const space = text.lastIndexOf(' ', from + EXCERPT_CHARS);
  const shown = text.slice(from, isCut && space > from ? space : from + EXCERPT_CHARS);
  const split = shown.split(new RegExp(pattern.source, 'gi'));
  // Two letters match everywhere, and each mark takes the time to render it.
  const marked = [...split.slice(0, 2 * MAX_MARKS), split.slice(2 * MAX_MARKS).join('')];
  const pieces = marked.map((piece, index) => ({ text: piece, isMatch: index < 2 * MAX_MARKS && index % 2 === 1 }));
  const before = from > 0 ? [{ text: '… ', isMatch: false }] : [];
  const after = isCut ? [{ text: ' …', isMatch: false }] : [];
  return [...before, ...pieces.filter((piece) => piece.text !== ''), ...after];
}

/** Returns the text of a guide: what comes before its first heading, then each part. */
export function guideText({ intro, parts }: Guide, href: string): PartText[] {
  const textOf = (at: string, tokens: Guide['intro']) => ({
    href: at,
    text: plainText(tokens),
    paragraphs: paragraphsOf(tokens),
  });
  const all = parts.flatMap((part) => [part, ...part.languages]);
  return [textOf(href, intro), ...all.map(({ id, tokens }) => textOf(`${href}#${id}`, tokens))];
}
