import { parseJson } from '@/components/auth-session/request';
import { formatBytes } from '@/components/ui/format-figures';
import { prettyJson } from '@/components/ui/format-json';
import type { CodeLanguage } from '@/components/ui/highlight-code';
import type { IncomingEventDetail } from '@/lib/incoming/schema';

/** A dump of the largest body would be 32,000 lines; the download has them all. */
const HEX_BYTES = 4096;
/** As much of a body as the API returns. */
const SHOWN_BYTES = 512 * 1024;

export interface BodyView {
  name: 'JSON' | 'Text' | 'Hex';
  language: CodeLanguage;
  code: string;
  /** What the view leaves out; null when it shows everything. */
  note: string | null;
}

/** Returns the ways to show a body, the most readable first. An empty body has none. */
export function bodyViewsOf({
  body,
  bodyBase64,
  bodyTruncated = false,
  size,
}: Pick<IncomingEventDetail, 'body' | 'bodyBase64' | 'size'> & { bodyTruncated?: boolean }): BodyView[] {
  if (size === 0) return [];
  const start = body === null ? decodeBase64Start(bodyBase64 ?? '', HEX_BYTES) : encodeStart(body);
  const note = size > start.length ? `The first ${formatBytes(start.length)} of ${formatBytes(size)}.` : null;
  const hex: BodyView = { name: 'Hex', language: 'text', code: hexDump(start), note };
  if (body === null) return [hex];
  const json = bodyTruncated ? null : tryPrettyJson(body);
  const cut = bodyTruncated ? `The first ${formatBytes(SHOWN_BYTES)} of ${formatBytes(size)}.` : null;
  return [
    ...(json === null ? [] : [{ name: 'JSON', language: 'json', code: json, note: null } as const]),
    { name: 'Text', language: 'text', code: body, note: cut },
    hex,
  ];
}

function encodeStart(text: string): Uint8Array {
  return new TextEncoder().encode(text.slice(0, HEX_BYTES)).subarray(0, HEX_BYTES);
}

/** Null unless the text is a JSON object or array. Numbers keep their digits if the browser supports it. */
function tryPrettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return prettyJson(parseJson(text));
  } catch {
    return null;
  }
}

/** Indents a JSON body; returns anything else unchanged, including truncated JSON. */
export function prettyBody(body: string): { code: string; language: CodeLanguage } {
  const json = tryPrettyJson(body);
  return json === null ? { code: body, language: 'text' } : { code: json, language: 'json' };
}

const ROW_BYTES = 16;

/** Formats bytes as `hexdump -C` does: offset, sixteen bytes, and their printable ASCII characters. */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += ROW_BYTES) {
    const row = [...bytes.subarray(offset, offset + ROW_BYTES)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, ROW_BYTES / 2), hex.slice(ROW_BYTES / 2)].map((half) => half.join(' '));
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${offset.toString(16).padStart(8, '0')}  ${halves.join('  ').padEnd(ROW_BYTES * 3)}  ${text}`);
  }
  return rows.join('\n');
}

/** Decodes at most `maxBytes` bytes of base64. */
export function decodeBase64Start(base64: string, maxBytes: number): Uint8Array {
  const text = atob(base64.slice(0, Math.ceil(maxBytes / 3) * 4));
  return Uint8Array.from(text.slice(0, maxBytes), (character) => character.charCodeAt(0));
}
