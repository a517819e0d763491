/** Returns a header by its lower-case name, or null. Values that were repeated are joined. */
export type HeaderReader = (name: string) => string | null;

type Pairs = [name: string, value: string][];

/** Reads headers by name. Finds `HTTP_WEBHOOK_ID` and `webhook_id` too, as programs of CGI, WSGI and PHP name them. */
export function readerOf(headers: Pairs): HeaderReader {
  const values = new Map<string, string>();
  for (const [name, value] of headers) {
    const canonical = name
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^http-/, '');
    const present = values.get(canonical);
    values.set(canonical, present === undefined ? value : `${present}, ${value}`);
  }
  return (name) => values.get(name.replaceAll('_', '-').replace(/^http-/, '')) ?? null;
}

const MAX_HEADERS = 500;
/** Lines that are not headers count too: a request in a log has some. */
const MAX_LINES = 2_000;
const REQUEST_LINE = /^(?:[A-Z]{3,10} \S+ )?HTTP\/[\d.]+/;

/**
 * Parses headers as people copy them: lines of `name: value` from a request, a log or `curl -v`; JSON, as an object or as pairs; or an
 * object as a program prints it, such as `{ 'webhook-id': 'msg_1', host: 'example.com' }` of Node, or a dictionary of Python or Ruby. Lines that are not headers are skipped.
 */
export function parseReceivedHeaders(text: string): Pairs {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    const pairs = pairsOfJson(trimmed);
    if (pairs !== null) return pairs.slice(0, MAX_HEADERS);
  }
  const printed = PRINTED_OBJECT.test(trimmed) ? pairsOfPrinted(trimmed) : [];
  if (printed.length > 0) return printed.slice(0, MAX_HEADERS);
  return trimmed
    .split(/\r\n|\n|\r/, MAX_LINES)
    .flatMap(pairOfLine)
    .slice(0, MAX_HEADERS);
}

function pairsOfJson(text: string): Pairs | null {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.flatMap(pairOfEntry);
    return Object.entries(value as object).flatMap(([name, given]) =>
      [given].flat().map((each): [string, string] => [name, String(each)]),
    );
  } catch {
    return null;
  }
}

/** What programs write before an object: nothing, or its class. */
const PRINTED_OBJECT = /^(?:\w+ ?\(?|\[Object: null prototype\] )?\{/;
const QUOTED = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
/** A name, in quotes or not, and one value or a list of them, all in quotes. */
const PRINTED_PAIR = new RegExp(
  `[{,]\\s*(${QUOTED}|[\\w-]+)\\s*(?::|=>)\\s*(${QUOTED}|\\[\\s*(?:${QUOTED})(?:\\s*,\\s*(?:${QUOTED}))*\\s*\\])`,
  'g',
);

function pairsOfPrinted(text: string): Pairs {
  return [...text.matchAll(PRINTED_PAIR)].flatMap(([, name = '', given = '']) =>
    [...given.matchAll(new RegExp(QUOTED, 'g'))].map(([value]): [string, string] => [
      unquote(name),
      unquote(value).replace(/\\(.)/g, '$1'),
    ]),
  );
}

/** A pair, or an object with a name and a value. */
function pairOfEntry(entry: unknown): Pairs {
  const { name, key, value, 0: first, 1: second } = (entry ?? {}) as Record<string, unknown>;
  const found = [name ?? key ?? first, value ?? second];
  return found.every((part) => typeof part === 'string') ? [found as [string, string]] : [];
}

function pairOfLine(line: string): Pairs {
  const bare = line
    .trim()
    .replace(/^[<>] ?/, '')
    .replace(/,$/, '');
  if (REQUEST_LINE.test(bare)) return [];
  const end = bare.indexOf(':');
  if (end < 1) return [];
  const name = unquote(bare.slice(0, end));
  return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) ? [[name, unquote(bare.slice(end + 1))]] : [];
}

/** Dumps of dictionaries have names and values in quotes. */
const unquote = (text: string) => text.trim().replace(/^(["'])(.*)\1$/, '$2');
