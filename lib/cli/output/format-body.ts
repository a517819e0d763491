import { sanitizeLines } from '@/lib/platform/terminal/sanitize';

/** Takes a step for each escape, not for each character: a string of 8 MiB has too many of those. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Longer JSON stays as it is: people do not read it. */
const MAX_INDENTED = 1024 * 1024;
const MAX_CHARACTERS = 20_000;
const MAX_HEX_BYTES = 512;
const ROW = 16;
/** What is nested deeper stays on one line: indentation grows with the square of the depth. */
const MAX_INDENTED_DEPTH = 50;

/** A body as the API returns it: as text, or in base64 when it is not UTF-8. */
export interface ShownBody {
  text: string | null;
  base64: string | null;
}

/** Returns a body for a person: JSON indented, text as it is, other bytes in hexadecimal. Long ones are cut, and say so. */
export function formatBody({ text, base64 }: ShownBody): string {
  if (text !== null) return cut(sanitizeLines(indentJson(text).replaceAll('\r\n', '\n')));
  return base64 === null ? '' : hexRows(Buffer.from(base64, 'base64'));
}

function cut(text: string): string {
  const rest = text.length - MAX_CHARACTERS;
  return rest <= 0 ? text : `${text.slice(0, MAX_CHARACTERS)}\n… ${rest} more characters`;
}

function hexRows(bytes: Buffer): string {
  const rows: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, MAX_HEX_BYTES); at += ROW) {
    const row = bytes.subarray(at, Math.min(at + ROW, MAX_HEX_BYTES));
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const readable = row.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(ROW * 3 - 1)}  ${readable}`);
  }
  const rest = bytes.length - MAX_HEX_BYTES;
  return rest <= 0 ? rows.join('\n') : `${rows.join('\n')}\n… ${rest} more bytes`;
}

/** Removes the white space between the values of JSON, and changes nothing else. */
export function compactJson(json: string): string {
  return (json.match(TOKEN) ?? []).join('');
}

/**
 * Indents a JSON object or array of up to 1 MiB; returns any other text as it is. It changes white space only: reading and writing the value would
 * round large numbers.
 */
export function indentJson(text: string): string {
  if (text.length > MAX_INDENTED || !isStructure(text)) return text;
  let indented = '';
  let depth = 0;
  const breakLine = () => {
    indented += `\n${'  '.repeat(depth)}`;
  };
  const tokens = text.match(TOKEN) ?? [];
  for (const [i, token] of tokens.entries()) {
    const isEmpty = /^[}\]]$/.test(tokens[i + 1] ?? '');
    if (/^[}\]]$/.test(token)) {
      depth -= 1;
      if (!/^[{[]$/.test(tokens[i - 1] ?? '')) breakLine();
    }
    indented += token === ':' ? ': ' : token;
    if (/^[{[]$/.test(token)) depth += 1;
    if (depth > MAX_INDENTED_DEPTH) return compactJson(text);
    if (token === ',' || (/^[{[]$/.test(token) && !isEmpty)) breakLine();
  }
  return indented;
}

function isStructure(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
