export type Yaml = string | Yaml[] | { [key: string]: Yaml };

interface Line {
  number: number;
  indent: number;
  text: string;
}

const KEY = /^([\w-]+):(?: (.+))?$/;

/**
 * Reads the plain YAML that our files for Prometheus are written in: maps, lists, one-line and literal scalars (`|`), flow
 * lists that are empty, whole-line comments. Every scalar is a string. What else YAML has is an error here.
 *
 * @throws Error naming the line
 */
export function parsePlainYaml(text: string): Yaml {
  const lines = text.split('\n').flatMap((raw, index): Line[] => {
    if (/^\s*(#.*)?$/.test(raw)) return [];
    const body = raw.trimStart();
    return [{ number: index + 1, indent: raw.length - body.length, text: body.trimEnd() }];
  });
  const reader = { lines, at: 0 };
  const value = readBlock(reader, 0);
  if (reader.at < lines.length) throw fault(lines[reader.at]);
  return value;
}

interface Reader {
  lines: Line[];
  at: number;
}

function readBlock(reader: Reader, indent: number): Yaml {
  const first = reader.lines[reader.at];
  if (first?.indent !== indent) throw fault(first);
  return first.text.startsWith('- ') ? readList(reader, indent) : readMap(reader, indent);
}

function readList(reader: Reader, indent: number): Yaml[] {
  const items: Yaml[] = [];
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    if (!line.text.startsWith('- ')) throw fault(line);
    const text = line.text.slice(2);
    if (KEY.test(text)) {
      reader.lines[reader.at] = { ...line, indent: indent + 2, text };
      items.push(readMap(reader, indent + 2));
    } else {
      items.push(readScalar(line, text));
      reader.at += 1;
    }
  }
  return items;
}

function readMap(reader: Reader, indent: number): { [key: string]: Yaml } {
  const map: { [key: string]: Yaml } = {};
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const [, key, text] = KEY.exec(line.text) ?? [];
    if (key === undefined || key in map) throw fault(line);
    reader.at += 1;
    map[key] = readValue(reader, line, text);
  }
  return map;
}

function readValue(reader: Reader, line: Line, text: string | undefined): Yaml {
  const next = reader.lines[reader.at];
  if (text === '|') return readLiteral(reader, line.indent);
  if (text !== undefined) return readScalar(line, text);
  if (next === undefined || next.indent <= line.indent) throw fault(line);
  return readBlock(reader, next.indent);
}

function readLiteral(reader: Reader, indent: number): string {
  const taken: string[] = [];
  for (let line = reader.lines[reader.at]; line !== undefined && line.indent > indent; line = reader.lines[reader.at]) {
    taken.push(line.text);
    reader.at += 1;
  }
  return taken.join('\n');
}

function readScalar(line: Line, text: string): Yaml {
  if (text === '[]') return [];
  const quoted = /^"([^"\\]*)"$/.exec(text)?.[1];
  // Any of these, unquoted, would make another value of it than the one that is read here.
  if (quoted === undefined && /^[[\]{}&*!|>'"%@`#,]|: | #/.test(text)) throw fault(line);
  return quoted ?? text;
}

function fault(line: Line | undefined): Error {
  return new Error(line === undefined ? 'the file ends too early' : `line ${line.number}: ${line.text}`);
}
