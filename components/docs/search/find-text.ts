import { type Guide, paragraphsOf, plainText } from '@/components/docs/markdown/parse-guide';

/** A part of a page with its text. */
export interface TextEntry {
  href: string;
  title: string;
  /** The page that it is on. */
  page: string;
  /** All that is searched, in lowercase: page, title and text. */
  searched: string;
  /** What an excerpt is taken from: tables and code are hard to read in pieces. */
  paragraphs: readonly string[];
}

export interface TextMatch {
  href: string;
  title: string;
  page: string;
  /** A paragraph around the first typed word, as pieces of which those with `isMatch` are typed words. */
  excerpt: { text: string; isMatch: boolean }[];
}

const MAX_MATCHES = 20;
const MAX_WORDS = 8;
const MAX_MARKS = 8;
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 220;

/**
 * Returns the entries that contain every typed word, in any case: those with most of the words in their titles first. Letters alone do not
 * count: they are everywhere.
 */
export function findText(entries: readonly TextEntry[], typed: string): TextMatch[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const countIn = (name: string) => words.filter((word) => name.toLowerCase().includes(word)).length;
  const score = ({ page, title }: TextEntry) => countIn(title) + countIn(page);
  return entries
    .filter(({ searched }) => words.every((word) => searched.includes(word)))
    .map((entry) => ({ ...entry, score: score(entry) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_MATCHES)
    .map(({ href, title, page, paragraphs }) => ({
      href,
      title,
      page,
      excerpt: excerptOf(chooseParagraph(paragraphs, words), words),
    }));
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

function excerptOf(text: string, words: readonly string[]): TextMatch['excerpt'] {
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

/** Returns the parts of a guide with their text; what comes before the first heading has the title of the guide. */
export function guideText({ title, intro, parts }: Guide, href: string): TextEntry[] {
  const entryOf = (at: string, name: string, page: string, tokens: Guide['intro']) => ({
    href: at,
    title: name,
    page,
    searched: `${page} ${name} ${plainText(tokens)}`.toLowerCase(),
    paragraphs: paragraphsOf(tokens),
  });
  return [
    entryOf(href, title, 'Guides', intro),
    ...parts.map((part) => entryOf(`${href}#${part.id}`, part.title, title, part.tokens)),
  ];
}
