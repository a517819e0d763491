import { measureJson } from '@/lib/platform/json-depth-policy';
import type { SignatureDifference, SignatureReason } from './schema';

/** What was signed if one mistake is undone. */
export interface SignedBody {
  body: Buffer;
  reason: Extract<SignatureReason, `body_${string}`>;
  /** What happened to the body, in a sentence. */
  detail: string;
}

/** Bytes of all bodies that are tried. */
const MAX_TRIED_BYTES = 4 * 1024 * 1024;

/**
 * Returns the mistake whose undoing makes a body that is signed; null without one. Yields after each body and between parts of a long
 * one: a search in 64 KiB takes the thread for ten milliseconds or more.
 */
export function* findBodyMistake(
  received: Buffer,
  isSigned: (body: Buffer) => boolean,
): Generator<undefined, SignedBody | null> {
  let bytes = 0;
  for (const undo of received.length > MAX_WRITTEN_BYTES ? UNDO_OF_LARGE : UNDO) {
    for (const tried of undo(received)) {
      if (tried !== undefined && !tried.body.equals(received)) {
        bytes += tried.body.length;
        if (bytes > MAX_TRIED_BYTES) return null;
        if (isSigned(tried.body)) return tried;
      }
      yield;
    }
  }
  return null;
}

/** Makes bodies one by one, so that one of them takes memory at a time. Undefined where others may have the thread. */
type Undo = (received: Buffer) => Iterable<SignedBody | undefined>;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

const byteOrderMark: Undo = (received) => {
  const hasMark = received.subarray(0, 3).equals(BOM);
  const body = hasMark ? received.subarray(3) : Buffer.concat([BOM, received]);
  const detail = hasMark
    ? 'A byte order mark was added before the body.'
    : 'The byte order mark before the body is missing, but it is signed too.';
  return [{ body, reason: 'body_byte_order_mark', detail }];
};

/** Each character is a byte, so that all others stay as they are. */
const replaceBytes = (bytes: Buffer, pattern: RegExp, by: string) =>
  Buffer.from(bytes.toString('latin1').replace(pattern, by), 'latin1');

const lineBreaks: Undo = (received) => {
  const reason = 'body_line_breaks';
  const lf = replaceBytes(received, /\r\n?/g, '\n');
  const tools = 'Text fields and some tools do that.';
  return [
    { body: lf, reason, detail: 'Its line breaks were changed: LF was signed, CR LF was received.' },
    {
      body: replaceBytes(lf, /\n/g, '\r\n'),
      reason,
      detail: `Its line breaks were changed: CR LF was signed, LF was received. ${tools}`,
    },
  ];
};

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

const whitespaceAround: Undo = (received) => {
  const reason = 'body_whitespace';
  let start = 0;
  let end = received.length;
  while (start < end && isSpace(received[start])) start += 1;
  while (end > start && isSpace(received[end - 1])) end -= 1;
  const added = 'White space was added around the body, such as a line break at its end.';
  const missing = 'White space at the end of the body is missing, such as a line break, but it is signed too.';
  return [
    ...[received.subarray(0, -1), received.subarray(0, end), received.subarray(start, end)]
      .filter(() => isSpace(received.at(-1)) || start > 0)
      .map((body) => ({ body, reason, detail: added }) as const),
    ...['\n', '\r\n', ' '].map(
      (space) => ({ body: Buffer.concat([received, Buffer.from(space)]), reason, detail: missing }) as const,
    ),
  ];
};

const utf16: Undo = (received) =>
  (['utf-16le', 'utf-16be'] as const).flatMap((encoding) => {
    const text = decode(received, encoding);
    const detail = 'The body was encoded again, in UTF-16. It was signed in UTF-8.';
    return text === null ? [] : [{ body: Buffer.from(text), reason: 'body_utf16', detail }];
  });

/** Where windows-1252 differs from Latin-1: browsers and many programs take one for the other. */
const WINDOWS_1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
);

const latin1: Undo = (received) => {
  const reason = 'body_latin1';
  const text = decode(received, 'utf-8');
  if (text === null) {
    const detail = 'The body was encoded again, in Latin-1. It was signed in UTF-8.';
    return ['latin1', 'windows-1252'].map((each) => {
      return { body: Buffer.from(new TextDecoder(each).decode(received)), reason, detail };
    });
  }
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const byte = code < 256 ? code : WINDOWS_1252.get(char);
    if (byte === undefined) return [];
    bytes.push(byte);
  }
  const detail = 'The body was decoded as Latin-1 and encoded again in UTF-8: other letters than ASCII have changed.';
  return [{ body: Buffer.from(bytes), reason, detail }];
};

/** As gateways and queues pass bodies on. */
const textOfBytes: Undo = (received) => {
  const text = received.toString('latin1').trim();
  const reason = 'body_base64';
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) {
    const detail = 'The body is in hex. Decode it before you verify it.';
    return [{ body: Buffer.from(text, 'hex'), reason, detail }];
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return [];
  const detail = 'The body is in base64, as some gateways pass it on. Decode it before you verify it.';
  return [{ body: Buffer.from(text, 'base64'), reason, detail }];
};

/** Writing a larger one in each way takes long. */
const MAX_WRITTEN_BYTES = 64 * 1024;

/** Indenting multiplies the size of deeply nested JSON. */
const MAX_INDENT_CHARS = 256 * 1024;

const reserialized: Undo = function* (received) {
  try {
    const value: unknown = JSON.parse(received.toString());
    const reason = 'body_reserialized';
    if (typeof value === 'string') {
      yield { body: Buffer.from(value), reason, detail: 'The body is a JSON string that has the body in it.' };
      return;
    }
    const detail = 'The body was parsed and serialized again: it is the same JSON in other bytes.';
    for (const text of spellings(value)) {
      yield text === undefined ? undefined : { body: Buffer.from(text), reason, detail };
    }
  } catch {
    // Not JSON, or nested too deeply to write.
  }
};

/** Writes a JSON value as the usual libraries do: JavaScript, Python, PHP, and in lines. */
function* spellings(value: unknown): Generator<string | undefined> {
  const compact = JSON.stringify(value);
  yield compact;
  yield yield* spaced(compact);
  const ascii = yield* replaceInSteps(compact, /[\u0080-\uffff]/g, escaped);
  yield ascii;
  yield yield* spaced(ascii);
  yield ascii.replaceAll('/', '\\/');
  if (measureJson(value, 4).indentChars > MAX_INDENT_CHARS) return;
  for (const indent of [2, 4, '\t']) yield JSON.stringify(value, null, indent);
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes a space after each comma and colon outside strings. */
const spaced = (json: string) =>
  replaceInSteps(json, /"[^"\\]*(?:\\.[^"\\]*)*"|[,:]/g, (found) => (found.startsWith('"') ? found : `${found} `));

const MATCHES_OF_STEP = 1_000;

/** Replaces like `text.replace`. Yields after some matches. */
function* replaceInSteps(text: string, pattern: RegExp, by: (found: string) => string): Generator<undefined, string> {
  let replaced = '';
  let end = 0;
  let matches = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    replaced += text.slice(end, index) + by(found);
    end = index + found.length;
    matches += 1;
    if (matches % MATCHES_OF_STEP === 0) yield;
  }
  return replaced + text.slice(end);
}

/** In the order in which they are tried: the first that is right is named. */
const UNDO: readonly Undo[] = [byteOrderMark, lineBreaks, whitespaceAround, utf16, latin1, textOfBytes, reserialized];

/** What takes little time for each byte. */
const UNDO_OF_LARGE: readonly Undo[] = [byteOrderMark, whitespaceAround];

/** Returns null when the bytes are not text in this encoding. A byte order mark is dropped, except that of UTF-8. */
function decode(bytes: Buffer, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes);
  } catch {
    return null;
  }
}

/** What is shown on either side of the first byte that differs. */
const CONTEXT_BYTES = 24;

/** Says where two bodies begin to differ; null when they are the same. */
export function firstDifference(signed: Buffer, received: Buffer): SignatureDifference | null {
  if (signed.equals(received)) return null;
  let offset = 0;
  while (offset < signed.length && signed[offset] === received[offset]) offset += 1;
  // A character is shown entirely.
  let from = offset;
  while (from > 0 && (isContinuation(signed[from]) || isContinuation(received[from]))) from -= 1;
  const after = (bytes: Buffer) => printable(bytes.subarray(from, from + CONTEXT_BYTES));
  return {
    offset,
    before: printable(signed.subarray(Math.max(0, from - CONTEXT_BYTES), from)),
    signed: after(signed),
    received: after(received),
  };
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns bytes as text on one line, in which each character can be seen. */
function printable(bytes: Buffer): string {
  return bytes
    .toString()
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/gu,
      (char) => ESCAPES[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    );
}
