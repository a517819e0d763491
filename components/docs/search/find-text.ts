import { type Guide, paragraphsOf, plainText } from '@/components/docs/markdown/parse-guide';
import { matchesWords } from '@/components/shell/matches-words';

/** A part of a page with its text. */
export interface TextEntry {
  href: string;
  title: string;
  /** The page that it is on. */
  page: string;
  /** All that is searched. */
  text: string;
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
const EXCERPT_BEFORE = 60;
const EXCERPT_CHARS = 220;

/** Returns the entries that contain every typed word, in any case: those with most of the words in their titles first. */
export function findText(entries: readonly TextEntry[], typed: string): TextMatch[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const query = words.join(' ');
  const matching = entries.filter(({ page, title, text }) => matchesWords(`${page} ${title} ${text}`, query));
  const score = ({ page, title }: TextEntry) =>
    words.filter((word) => matchesWords(title, word)).length + words.filter((word) => matchesWords(page, word)).length;
  return matching
    .toSorted((a, b) => score(b) - score(a))
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
  const score = (paragraph: string) => words.filter((word) => paragraph.toLowerCase().includes(word)).length;
  return paragraphs.toSorted((a, b) => score(b) - score(a))[0] ?? '';
}

function excerptOf(text: string, words: readonly string[]): TextMatch['excerpt'] {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'i');
  const found = Math.max(0, text.search(pattern));
  const start = found <= EXCERPT_BEFORE ? 0 : text.indexOf(' ', found - EXCERPT_BEFORE) + 1;
  const from = start > found ? found : start;
  const isCut = from + EXCERPT_CHARS < text.length;
  const space = text.lastIndexOf(' ', from + EXCERPT_CHARS);
  const shown = text.slice(from, isCut && space > from ? space : from + EXCERPT_CHARS);
  const pieces = shown.split(new RegExp(pattern.source, 'gi')).map((piece, index) => ({
    text: piece,
    isMatch: index % 2 === 1,
  }));
  const before = from > 0 ? [{ text: '… ', isMatch: false }] : [];
  const after = isCut ? [{ text: ' …', isMatch: false }] : [];
  return [...before, ...pieces.filter((piece) => piece.text !== ''), ...after];
}

/** Returns the parts of a guide with their text; what comes before the first heading has the title of the guide. */
export function guideText({ title, intro, parts }: Guide, href: string): TextEntry[] {
  const sections = parts.map((part) => ({
    href: `${href}#${part.id}`,
    title: part.title,
    page: title,
    text: plainText(part.tokens),
    paragraphs: paragraphsOf(part.tokens),
  }));
  const start = { href, title, page: 'Guides', text: plainText(intro), paragraphs: paragraphsOf(intro) };
  return [start, ...sections];
}
