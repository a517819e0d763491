import type { ContentCoding } from './accept-encoding';

/** Content that is made while it is sent, in the coding that the client takes. Called once. */
export type OpenStream = (coding: ContentCoding) => ReadableStream<Uint8Array>;

/** An answer as a definition gives it: `body` is presented as JSON; `raw` goes out as it is. */
export interface Answer {
  status: number;
  body?: unknown;
  raw?: { contentType: string; content: string | Uint8Array | OpenStream };
  headers?: Record<string, string>;
  /** Whole Set-Cookie values. */
  cookies?: string[];
}

export type AnswerExtras = Pick<Answer, 'headers' | 'cookies'>;

/** 200: read or changed. */
export function ok(body: unknown, extras: AnswerExtras = {}): Answer {
  return { status: 200, body, ...extras };
}

/** 200 with one member whose JSON text goes out as it is stored, byte for byte. */
export function okWithJsonMember(body: object, name: string, jsonText: string): Answer {
  const head = JSON.stringify(body).slice(0, -1);
  const comma = head === '{' ? '' : ',';
  const content = `${head}${comma}${JSON.stringify(name)}:${jsonText}}`;
  return { status: 200, raw: { contentType: 'application/json', content } };
}

/** 201: created. */
export function created(body: unknown, extras: AnswerExtras = {}): Answer {
  return { status: 201, body, ...extras };
}

/** 202: accepted for later. */
export function accepted(body: unknown, extras: AnswerExtras = {}): Answer {
  return { status: 202, body, ...extras };
}

/** 204: done, nothing to say. */
export function noContent(extras: AnswerExtras = {}): Answer {
  return { status: 204, ...extras };
}

/** 302: go there. Also where a page of a browser failed: it is shown a page, never a problem document. */
export function redirect(location: string, extras: AnswerExtras = {}): Answer {
  return { status: 302, ...extras, headers: { ...extras.headers, Location: location } };
}
