import { parseJson } from '@/components/auth-session/request';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { prettyJson } from '@/components/ui/format-json';
import type { CodeLanguage } from '@/components/ui/highlight-code';
import type { IncomingEventDetail } from '@/lib/incoming/schema';
import { decodeBase64Start, hexDump } from './hex-dump';

/** A dump of the largest body would be 32,000 lines; the download has them all. */
const HEX_BYTES = 4096;

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
  size,
}: Pick<IncomingEventDetail, 'body' | 'bodyBase64' | 'size'>): BodyView[] {
  if (size === 0) return [];
  const start = body === null ? decodeBase64Start(bodyBase64 ?? '', HEX_BYTES) : encodeStart(body);
  const note = size > start.length ? `The first ${formatBytes(start.length)} of ${formatBytes(size)}.` : null;
  const hex: BodyView = { name: 'Hex', language: 'text', code: hexDump(start), note };
  if (body === null) return [hex];
  const json = tryPrettyJson(body);
  return [
    ...(json === null ? [] : [{ name: 'JSON', language: 'json', code: json, note: null } as const]),
    { name: 'Text', language: 'text', code: body, note: null },
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
