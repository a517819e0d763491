import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';

export interface Guide {
  title: string;
  /** What comes before the first heading of the second level. */
  intro: Token[];
  /** Those that begin with a heading of the second level. */
  parts: { id: string; title: string; tokens: Token[] }[];
}

/** Parses a guide: one title, then parts. @throws Error when it does not begin with its title */
export function parseGuide(markdown: string): Guide {
  const [first, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space');
  if (!isHeading(first, 1)) throw new Error('A guide begins with its title.');
  const guide: Guide = { title: first.text, intro: [], parts: [] };
  for (const token of rest) {
    if (isHeading(token, 2)) guide.parts.push({ id: headingId(token.text), title: token.text, tokens: [] });
    else (guide.parts.at(-1)?.tokens ?? guide.intro).push(token);
  }
  return guide;
}

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
