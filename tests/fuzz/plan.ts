import { newId } from '@/lib/platform/ids';
import type { Fixture } from './fixture';

/** A request with placeholders for the ids and credentials of its fixture, such as `{orgId}`. */
export interface Plan {
  method: string;
  path: string;
  /** Names and values as they are sent. */
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  body: Body;
  framing: Framing;
}

/** A body as fields with JSON values, so that one can be mutated, or as text. */
export type Body =
  | { kind: 'none' }
  | { kind: 'fields'; fields: [name: string, json: string][] }
  | { kind: 'text'; text: string; encoding: 'utf8' | 'latin1' | 'utf16le' };

/**
 * How a body is delimited. `short`: less is sent than declared, then the client disconnects; `long`: more is sent;
 * `both`: a length and chunks; `broken chunks`: the size of a chunk is not a number.
 */
export type Framing = 'length' | 'chunks' | 'coded chunks' | 'broken chunks' | 'short' | 'long' | 'both' | 'none';

/** A request as bytes. */
export interface Rendered {
  method: string;
  head: string;
  body: Buffer;
  hangsUp: boolean;
}

/** Replaces the placeholders of a plan by values of the fixture, and `{fresh}` by a new id. */
export function render(plan: Plan, fixture: Fixture): Rendered {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (name === 'fresh' ? newId() : (fixture[name] ?? whole)));
  const query = plan.query.map(([name, value]) => `${name}=${value}`).join('&');
  const target = fill(plan.path + (query === '' ? '' : `?${query}`));
  const content = encode(plan.body, fill);
  const [framing, body] = frame(plan, content);
  const headers = [['Host', 'localhost:3000'], ...plan.headers, ...framing, ['Connection', 'close']];
  const lines = headers.map(([name, value = '']) => `${name}: ${fill(value)}\r\n`);
  return {
    method: plan.method,
    head: `${plan.method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`,
    body,
    hangsUp: plan.framing === 'short',
  };
}

function encode(body: Body, fill: (text: string) => string): Buffer {
  if (body.kind === 'none') return Buffer.alloc(0);
  if (body.kind === 'text') return Buffer.from(fill(body.text), body.encoding);
  return Buffer.from(`{${body.fields.map(([name, json]) => `${JSON.stringify(name)}:${fill(json)}`).join(',')}}`);
}

function frame({ body, framing }: Plan, content: Buffer): [headers: [string, string][], body: Buffer] {
  const length = (bytes: number): [string, string] => ['Content-Length', String(Math.max(0, bytes))];
  const chunked: [string, string] = ['Transfer-Encoding', 'chunked'];
  switch (framing) {
    case 'none':
      return [[], content];
    case 'chunks':
      return [[chunked], chunksOf(content)];
    case 'coded chunks':
      return [[['Transfer-Encoding', 'gzip, chunked']], chunksOf(content)];
    case 'broken chunks':
      return [[chunked], Buffer.concat([Buffer.from('zz\r\n'), content])];
    case 'both':
      return [[length(content.length), chunked], chunksOf(content)];
    case 'short':
      return [[length(content.length + 7)], content];
    case 'long':
      return [[length(content.length - 3)], content];
    default:
      return [body.kind === 'none' ? [] : [length(content.length)], content];
  }
}

function chunksOf(content: Buffer): Buffer {
  const middle = Math.floor(content.length / 2);
  const chunks = [content.subarray(0, middle), content.subarray(middle)].filter((chunk) => chunk.length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

const SHOWN_CHARS = 600;

/** Describes a request as a curl command that repeats it. */
export function describeRequest({ head, body }: Rendered): string {
  const [line = '', ...headers] = head.trimEnd().split('\r\n');
  const [method, target = '/'] = line.split(' ');
  const shown = (text: string) =>
    text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}… (${text.length} characters)`;
  const flags = headers.map((header) => `-H ${JSON.stringify(shown(header))}`).join(' ');
  const data = body.length === 0 ? '' : ` --data-binary ${JSON.stringify(shown(body.toString('latin1')))}`;
  return `curl --path-as-is -X ${method} ${JSON.stringify(shown(`http://localhost:3000${target}`))} ${flags}${data}`;
}
