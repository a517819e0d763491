import type { Token } from 'marked';

/** Returns the text of tokens without markup; blocks are separated by spaces. */
export function plainText(tokens: readonly Token[]): string {
  const texts = tokens.map((token) => {
    if (token.type === 'table')
      return cellsOf(token)
        .map(plainInline)
        .filter((text) => text !== '')
        .join(' · ');
    if (token.type === 'list') return plainText(token.items as Token[]);
    const inner = 'tokens' in token ? (token.tokens as Token[] | undefined) : undefined;
    return inner === undefined ? decode('text' in token ? String(token.text) : '') : plainInline(inner);
  });
  return texts.filter((text) => text !== '').join(' ');
}

/** Returns the text of each paragraph and list item, without tables, code and headings. */
export function paragraphsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'list') return paragraphsOf(token.items as Token[]);
    if (token.type === 'list_item') return paragraphsOf(token.tokens ?? []);
    return token.type === 'paragraph' || token.type === 'text' ? [plainText([token])] : [];
  });
}

/** Unlike blocks, parts of a sentence bring their own spaces. */
function plainInline(tokens: readonly Token[]): string {
  const isInline = tokens.every(({ type }) => INLINE.has(type));
  return isInline ? tokens.map((token) => plainText([token])).join('') : plainText(tokens);
}

const INLINE = new Set(['text', 'escape', 'codespan', 'strong', 'em', 'link', 'br', 'image']);

function cellsOf(table: Token): Token[][] {
  const { header, rows } = table as unknown as { header: { tokens: Token[] }[]; rows: { tokens: Token[] }[][] };
  return [...header, ...rows.flat()].map(({ tokens }) => tokens);
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The parser escapes text for HTML, which React does again. */
export function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
