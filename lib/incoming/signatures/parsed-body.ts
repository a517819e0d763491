import { LARGE_BODY_BYTES } from '@/lib/platform/large-body';

const parsed = new WeakMap<Buffer, unknown>();

/** Parses a body as JSON, once however often it is read; undefined when it is not JSON, or has more than 512 KiB. */
export function jsonOf(body: Buffer): unknown {
  if (parsed.has(body)) return parsed.get(body);
  // That would keep the thread busy for a tenth of a second or more.
  if (body.length > LARGE_BODY_BYTES) return undefined;
  const json = parse(body.toString('utf8'));
  parsed.set(body, json);
  return json;
}

/** Returns a body that has been parsed already; undefined for others. */
export function parsedJsonOf(body: Buffer): unknown {
  return parsed.get(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a member of the JSON object in a body; undefined when the body is something else, such as a form. */
export function memberOf(body: Buffer, name: string): unknown {
  const json = jsonOf(body);
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}
