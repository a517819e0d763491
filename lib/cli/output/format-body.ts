import { indentJson } from './indent-json';
import { sanitizeLines } from './sanitize';

const [MAX_CHARACTERS, MAX_HEX_BYTES, ROW] = [20_000, 512, 16];

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
