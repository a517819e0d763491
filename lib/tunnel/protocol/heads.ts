import { type HeaderPairs, isHeaderPairs } from '@/lib/platform/net/header-pairs';
import { MAX_REQUEST_HEADERS, MAX_RESPONSE_HEAD_BYTES, MAX_RESPONSE_HEADERS } from './protocol';

/** A request as the client sends it to its local server. */
export interface RequestHead {
  method: string;
  /** Path and query, starting with a slash, byte for byte. */
  path: string;
  headers: HeaderPairs;
  hasBody: boolean;
}

/** A response of the local server. */
export interface ResponseHead {
  status: number;
  headers: HeaderPairs;
}

/** Names have no length limit: a stranger could end the tunnel with a name that node:http accepts and the client refuses. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^\/[\x21-\xff]*$/;
/** Connection may name very many headers, each of which takes time. Clients name one or two. */
const MAX_CONNECTION_CHARS = 1_024;

/** Encodes the JSON of a head. */
export function encodeHead(head: RequestHead | ResponseHead): Buffer {
  return Buffer.from(JSON.stringify(head), 'utf8');
}

/** Decodes the head of a request; null when it is malformed or could not be sent over HTTP. */
export function decodeRequestHead(payload: Buffer): RequestHead | null {
  const head = parse(payload) as Partial<RequestHead> | null;
  if (head === null || typeof head.method !== 'string' || typeof head.path !== 'string') return null;
  if (typeof head.hasBody !== 'boolean' || !areHeaders(head.headers, MAX_REQUEST_HEADERS)) return null;
  const { method, path, headers, hasBody } = head;
  if (!TOKEN.test(method) || !PATH.test(path) || findHeaderFault(headers) !== null) return null;
  return { method, path, headers, hasBody };
}

/** Decodes the head of a response; null when it is malformed. Does not check its values. */
export function decodeResponseHead(payload: Buffer): ResponseHead | null {
  const head = parse(payload) as Partial<ResponseHead> | null;
  if (head === null || typeof head.status !== 'number' || !areHeaders(head.headers, MAX_RESPONSE_HEADERS)) return null;
  return { status: head.status, headers: head.headers };
}

/** Returns why the head of a response does not fit into a frame; null if it does. */
export function findExcess(head: ResponseHead): string | null {
  if (head.headers.length > MAX_RESPONSE_HEADERS) return `more than ${MAX_RESPONSE_HEADERS} headers`;
  const isTooLong = encodeHead(head).length > MAX_RESPONSE_HEAD_BYTES;
  return isTooLong ? `headers of more than ${MAX_RESPONSE_HEAD_BYTES / 1024} KiB` : null;
}

/** Whether the values of Connection name too many headers. */
export function hasLongConnection(headers: HeaderPairs): boolean {
  let chars = 0;
  for (const [name, value] of headers) if (name.toLowerCase() === 'connection') chars += value.length;
  return chars > MAX_CONNECTION_CHARS;
}

/** Returns why a response cannot be sent over HTTP; null if it can. */
export function findResponseFault({ status, headers }: ResponseHead): string | null {
  if (!Number.isInteger(status) || status < 200 || status > 599) return 'its status is not between 200 and 599';
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  const [[, length] = ['', '0']] = lengths;
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) return 'its Content-Length is not a number';
  if (hasLongConnection(headers)) return 'its Connection is too long';
  return findHeaderFault(headers);
}

function findHeaderFault(headers: HeaderPairs): string | null {
  for (const [name, value] of headers) {
    if (!TOKEN.test(name)) return 'the name of a header is not valid';
    if (!HEADER_VALUE.test(value)) return 'the value of a header is not valid';
  }
  return null;
}

function areHeaders(value: unknown, max: number): value is HeaderPairs {
  return Array.isArray(value) && value.length <= max && isHeaderPairs(value);
}

/** @returns the JSON object; null for anything else */
function parse(payload: Buffer): object | null {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}
