import { lexer, type Token, type Tokens } from 'marked';
import { headingId } from './heading-ids';

/** A part of a guide that begins with a heading of the second level. */
export interface GuidePart {
  id: string;
  title: string;
  tokens: Token[];
}

export interface Guide {
  title: string;
  /** What comes before the first heading of the second level. */
  intro: Token[];
  parts: GuidePart[];
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
