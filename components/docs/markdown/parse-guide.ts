import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';

export interface Guide {
  title: string;
  /** What comes before the first heading of the second level. */
  intro: Token[];
  parts: GuidePart[];
}

/** What follows a heading of the second level. */
export interface GuidePart extends Titled {
  /** Its end in several languages: those that begin with the name of one, as a heading of the third level. */
  languages: Titled[];
}

interface Titled {
  id: string;
  title: string;
  tokens: Token[];
}

/** The names of tabs, by the languages of code. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'Node',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
  java: 'Java',
};

const NAMES = new Set(Object.values(LANGUAGE_NAMES));

/** Parses a guide: one title, then parts. @throws Error when it does not begin with its title */
export function parseGuide(markdown: string): Guide {
  const [first, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space');
  if (!isHeading(first, 1)) throw new Error('A guide begins with its title.');
  const guide: Guide = { title: first.text, intro: [], parts: [] };
  for (const token of rest) {
    const part = guide.parts.at(-1);
    if (isHeading(token, 2)) guide.parts.push({ ...titled(token), languages: [] });
    else if (isHeading(token, 3) && NAMES.has(token.text) && part !== undefined) part.languages.push(titled(token));
    else (part?.languages.at(-1)?.tokens ?? part?.tokens ?? guide.intro).push(token);
  }
  return guide;
}

const titled = ({ text }: Tokens.Heading): Titled => ({ id: headingId(text), title: text, tokens: [] });

function isHeading(token: Token | undefined, depth: number): token is Tokens.Heading {
  return token?.type === 'heading' && token.depth === depth;
}

/** Returns the id of a heading, as GitHub makes it: lower case, dashes, no punctuation. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

const INLINE = new Set(['text', 'escape', 'codespan', 'strong', 'em', 'link', 'br', 'image']);

/** Returns the text of tokens without markup; blocks are separated by spaces. */
export function plainText(tokens: readonly Token[]): string {
  const texts = (tokens as readonly MarkedToken[]).map((token) => {
    if (token.type === 'table') {
      const cells = [...token.header, ...token.rows.flat()].map((cell) => plainText(cell.tokens));
      return cells.filter((text) => text !== '').join(' · ');
    }
    if (token.type === 'list') return plainText(token.items);
    if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
    return 'text' in token ? decode(token.text) : '';
  });
  // Unlike blocks, parts of a sentence bring their own spaces.
  const isSentence = tokens.every(({ type }) => INLINE.has(type));
  return isSentence ? texts.join('') : texts.filter((text) => text !== '').join(' ');
}

/** Returns the text of each paragraph and list item, without tables, code and headings. */
export function paragraphsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'list') return paragraphsOf(token.items as Token[]);
    if (token.type === 'list_item') return paragraphsOf(token.tokens ?? []);
    return token.type === 'paragraph' || token.type === 'text' ? [plainText([token])] : [];
  });
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The parser escapes text for HTML, which React does again. */
export function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** The server in the code of a guide. What a setting is given is that of production, and not where somebody reads the guide. */
const SAMPLE_SERVER = /(?<!APP_BASE_URL(?:=|: ))https:\/\/events\.example\.com/g;

/** Returns the code of a guide with BASE_URL where the reader's own server belongs. */
export function nameServer(code: string): string {
  return code.replace(SAMPLE_SERVER, 'BASE_URL');
}
