export type CodeLanguage = 'json' | 'shell' | 'javascript' | 'python' | 'text';

export interface Token {
  text: string;
  kind: 'plain' | 'string' | 'key' | 'number' | 'comment';
}

type HighlightedLanguage = Exclude<CodeLanguage, 'text'>;

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])`;
const NOTHING = '(?!)';

/** What is highlighted in each language besides strings. Shell commands have no numbers, only ports and versions. */
const RULES: Record<HighlightedLanguage, { key: string; number: string; comment: string }> = {
  json: { key: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b(?:true|false|null)\b`, number: NUMBER, comment: NOTHING },
  shell: {
    key: String.raw`(?<=^|\n)(?:curl|node|npx)\b|(?<=\s)--?[a-zA-Z][\w-]*`,
    number: NOTHING,
    comment: '(?<=^|\n)#[^\n]*',
  },
  javascript: {
    key: String.raw`(?<![\w.$])(?:import|from|const|await|new|return|export|async|function|for|of|if|throw|true|false|null)(?!\w)`,
    number: NUMBER,
    comment: String.raw`(?<=^|\s)//[^\n]*`,
  },
  python: {
    key: String.raw`(?<![\w.])(?:import|from|def|return|with|as|if|raise|True|False|None)(?!\w)`,
    number: NUMBER,
    comment: String.raw`#[^\n]*`,
  },
};

function patternOf(language: HighlightedLanguage): RegExp {
  const { key, number, comment } = RULES[language];
  return new RegExp(`(?<comment>${comment})|(?<key>${key})|(?<string>${STRING})|(?<number>${number})`, 'g');
}

/** Splits code into tokens to highlight: strings, keys and keywords, numbers, comments. Joined, they equal the code. */
export function highlightCode(code: string, language: CodeLanguage): Token[] {
  if (language === 'text') return [{ text: code, kind: 'plain' }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(patternOf(language))) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index), kind: 'plain' });
    const kind = (Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ??
      'plain') as Token['kind'];
    tokens.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end), kind: 'plain' });
  return tokens;
}
