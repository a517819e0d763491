export type CodeLanguage = 'json' | 'shell' | 'javascript' | 'python' | 'text';

export interface Token {
  text: string;
  kind: 'plain' | 'string' | 'key' | 'number' | 'comment';
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const WORDS = {
  json: String.raw`true|false|null`,
  javascript: 'import|from|const|await|new|return|export|async|function|if|throw|true|false|null',
  python: 'import|from|def|return|with|as|if|raise|True|False|None',
  shell: String.raw`(?<=^|\n|\| )\s*(?:curl|node|export|npx)`,
};
const COMMENT = {
  json: '(?!)',
  javascript: String.raw`//[^\n]*`,
  python: '#[^\n]*',
  shell: String.raw`(?<=^|\n)#[^\n]*`,
};

const PATTERNS = Object.fromEntries(
  (['json', 'javascript', 'python', 'shell'] as const).map((language) => [
    language,
    new RegExp(
      `(?<comment>${COMMENT[language]})|(?<key>"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)|(?<![\\w.$])(?:${WORDS[language]})(?![\\w])|(?<=\\s)--?[a-zA-Z][\\w-]*)|(?<string>${STRING})|(?<number>(?<![\\w.-])-?\\d+(?:\\.\\d+)?(?![\\w-]))`,
      'g',
    ),
  ]),
);

/** Cuts code into pieces to colour: strings, keys and words, numbers, comments. Joined again they are the same text. */
export function tintCode(code: string, language: CodeLanguage): Token[] {
  const pattern = PATTERNS[language];
  if (pattern === undefined) return [{ text: code, kind: 'plain' }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index), kind: 'plain' });
    const kind = (Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ??
      'plain') as Token['kind'];
    tokens.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end), kind: 'plain' });
  return tokens;
}
