export type CodeLanguage =
  | 'json'
  | 'shell'
  | 'yaml'
  | 'sql'
  | 'javascript'
  | 'python'
  | 'go'
  | 'php'
  | 'ruby'
  | 'java'
  | 'text';

export interface Token {
  text: string;
  kind: 'plain' | 'string' | 'key' | 'number' | 'comment';
}

type HighlightedLanguage = Exclude<CodeLanguage, 'text'>;

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])`;
const NOTHING = '(?!)';
const HASH_COMMENT = String.raw`(?<=^|\s)#[^\n]*`;
const SLASH_COMMENT = String.raw`(?<=^|\s)//[^\n]*`;

interface Rules {
  key: string;
  string?: string;
  number?: string;
  comment?: string;
}

/** Keywords of most programming languages. */
const COMMON = 'if|else|for|while|return|import|new|class|try|true|false|null';

/** Names that are part of a longer name or a property, or that label a value, are not keywords. */
function programming(words: string, comment: string, string = STRING): Rules {
  return { key: String.raw`(?<![\w.$@>-])(?:${COMMON}|${words})(?![\w?]|:(?!\n))`, string, number: NUMBER, comment };
}

/** What is highlighted in each language besides strings. Shell commands have no numbers, only ports and versions. */
const RULES: Record<HighlightedLanguage, Rules> = {
  json: { key: String.raw`"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b(?:true|false|null)\b`, number: NUMBER },
  shell: {
    key: String.raw`(?<=^|\n)(?:curl|eds|node|npm|npx)\b|(?<=\s)--?[a-zA-Z][\w-]*`,
    comment: '(?<=^|\n)#[^\n]*',
  },
  yaml: { key: String.raw`(?<=(?:^|\n)[ -]*)[\w.-]+(?=:)`, comment: HASH_COMMENT },
  sql: { key: String.raw`\b[A-Z]{2,}\b` },
  javascript: programming(
    'from|const|let|await|export|async|function|of|in|throw|catch|finally|typeof|instanceof',
    SLASH_COMMENT,
    `${STRING}|${String.raw`\`(?:[^\`\\]|\\.)*\``}`,
  ),
  python: programming(
    'from|def|with|as|elif|raise|except|finally|in|is|not|and|or|None|True|False',
    String.raw`#[^\n]*`,
  ),
  go: programming('package|func|var|const|type|struct|range|nil', SLASH_COMMENT),
  php: programming(String.raw`<\?php|function|foreach|as|use|throw|catch`, SLASH_COMMENT),
  ruby: programming('require|def|end|do|unless|elsif|nil|rescue|raise', HASH_COMMENT),
  java: programming('package|public|private|static|final|void|boolean|byte|throws?|catch', SLASH_COMMENT),
};

function patternOf(language: HighlightedLanguage): RegExp {
  const { key, string = STRING, number = NOTHING, comment = NOTHING } = RULES[language];
  return new RegExp(`(?<comment>${comment})|(?<key>${key})|(?<string>${string})|(?<number>${number})`, 'g');
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
