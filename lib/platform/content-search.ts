/** A word of a search, or JSON between whose tokens any white space may stand. */
export interface SearchTerm {
  /** The texts that the content must have, whatever is between them. Never empty. */
  literals: readonly string[];
  /** The texts and the punctuation between them, in order; a literal alone has none. */
  tokens: readonly string[];
}

/** Each word is looked for in all that is searched. A text of more words is one term, as it stands. */
const MAX_TERMS = 6;
/** A string of JSON; punctuation; white space; what is between those, maybe with the quote that ends it; and a quote alone. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[:,{}[\]]|\s+|[^\s":,{}[\]]+"?|"/gs;
const isPunctuation = (token: string | undefined) => token !== undefined && /^[:,{}[\]]$/.test(token);

/**
 * Splits what a person looks for into terms, all of which must occur. Space separates them, except in double quotes and beside the
 * punctuation of JSON: `"id": "42"` is one term, the same as `"id":"42"`.
 */
export function searchTermsOf(text: string): SearchTerm[] {
  const terms: string[][] = [];
  let space = false;
  for (const [token] of text.trim().matchAll(TOKEN)) {
    if (/^\s/.test(token)) {
      space = true;
      continue;
    }
    const last = terms.at(-1);
    const joins = !space || isPunctuation(token) || isPunctuation(last?.at(-1));
    if (last === undefined || !joins) terms.push([token]);
    else append(last, token);
    space = false;
  }
  const given = terms.map((tokens) => ({ tokens, literals: tokens.filter((token) => !isPunctuation(token)) }));
  if (given.length > MAX_TERMS) return [{ tokens: [text], literals: [text] }];
  return given.map((term) =>
    term.literals.length > 0 ? term : { tokens: [term.tokens.join('')], literals: [term.tokens.join('')] },
  );
}

/** A word and a string beside it, such as `it"s`, are one text. */
function append(tokens: string[], token: string): void {
  if (isPunctuation(token) || isPunctuation(tokens.at(-1))) tokens.push(token);
  else tokens.push(`${tokens.pop()}${token}`);
}

const SPACE = '[ \\t\\n\\r]*';

/**
 * Returns a regular expression for a term, for JavaScript and for PostgreSQL. It finds in one pass: white space is followed by a token.
 * @param write how the searched content has a text, if not as it is
 */
export function patternOf({ tokens }: SearchTerm, write = (text: string) => text): string {
  return tokens.map((token) => write(token).replace(/[!-/:-@[-`{-~]/g, '\\$&')).join(SPACE);
}

/** Where a text was found: the match and what is around it, each in one line. */
interface ContentMatch {
  before: string;
  found: string;
  after: string;
}

const CHARS_BEFORE = 24;
const CHARS_AFTER = 48;

/** A term that occurs more often tells less, however often that is. */
const COUNTED = 20;

/** Returns where the content has the term that occurs least often, which tells most; null when none occurs. */
export function findMatch(content: string, terms: readonly SearchTerm[]): ContentMatch | null {
  let [rarest, fewest]: [RegExpExecArray | undefined, number] = [undefined, COUNTED + 1];
  for (const term of terms) {
    const pattern = new RegExp(patternOf(term), 'g');
    const first = pattern.exec(content);
    if (first === null) continue;
    let count = 1;
    while (count < COUNTED && pattern.exec(content) !== null) count += 1;
    if (count < fewest) [rarest, fewest] = [first, count];
  }
  if (rarest === undefined) return null;
  const { index, 0: found } = rarest;
  const end = index + found.length;
  const from = Math.max(0, index - CHARS_BEFORE);
  const to = Math.min(content.length, end + CHARS_AFTER);
  return {
    before: `${from > 0 ? '…' : ''}${inOneLine(content.slice(from, index))}`,
    found: inOneLine(found),
    after: `${inOneLine(content.slice(end, to))}${to < content.length ? '…' : ''}`,
  };
}

/** Half of a character at a cut becomes a replacement character. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ').toWellFormed();
