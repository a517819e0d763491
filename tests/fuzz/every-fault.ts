import * as z from 'zod';
import type { TenancyRoute } from '@/tests/tenancy/routes';
import { words } from './hostile-values';
import type { Body, Plan } from './plan';

/** Values for each field of a body: NUL, lone surrogates, empty, too long, other types, extreme numbers, deep nesting. */
const JSON_VALUES = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"a\\ud800"',
  '""',
  `"${'x'.repeat(5_000)}"`,
  'null',
  'true',
  '[]',
  '{}',
  '"a"',
  '1e400',
  '9'.repeat(400),
  '-1',
  '1.5',
  '{"a":"\\u0000"}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
];

/** Values for each query parameter. */
const PARAMETERS = ['%00', 'a%00b', 'a%ed%a0%80', '', 'x'.repeat(5_000), '9'.repeat(400), '-1', '1e400', '%', '%7B%7D'];

/** Values for each id of a path. */
const IDS = ['x'.repeat(8_000), ...words('%00 {projectId}%00 x %zz %ed%a0%80 00000000-0000-0000-0000-000000000000')];

const text = (content: string, encoding: 'utf8' | 'latin1' = 'utf8'): Body => ({
  kind: 'text',
  text: content,
  encoding,
});

/** Replacements for the entire body. */
const BODIES: Body[] = [
  ...['', '\0', '{', 'null', '[]', '1e400', '{"a\\u0000b":1}', '{"__proto__":1}', '['.repeat(100_000)].map((each) =>
    text(each),
  ),
  text(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  text('{"a":"\xff"}', 'latin1'),
  text('x'.repeat(1_100_000)),
];

const isCredential = (name: string) =>
  ['authorization', 'x-api-key', 'x-platform-admin-token'].includes(name.toLowerCase());

/** Plans one request for every kind of fault in every place of the route, so that coverage does not depend on chance. */
export function everyFault(route: TenancyRoute, valid: Plan): Plan[] {
  const { headers, path, query } = valid;
  const others = headers.filter(([name]) => name !== 'Content-Type');
  const withHeaders = (...more: [string, string][]): Plan => ({ ...valid, headers: [...others, ...more] });
  const inBody = (name: string, json: string): Plan => {
    const fields = valid.body.kind === 'fields' ? valid.body.fields.filter(([other]) => other !== name) : [];
    return { ...valid, body: { kind: 'fields', fields: [...fields, [name, json]] } };
  };
  const inQuery = (name: string, value: string): Plan => {
    return { ...valid, query: [...query.filter(([other]) => other !== name), [name, value]] };
  };
  const json: [string, string] = ['Content-Type', 'application/json'];
  return [
    ...fieldNames(route.definition.body).flatMap((name) => JSON_VALUES.map((value) => inBody(name, value))),
    ...fieldNames(route.definition.query).flatMap((name) => PARAMETERS.map((value) => inQuery(name, value))),
    ...(path.match(/\{\w+\}/g) ?? []).flatMap((id) =>
      IDS.map((other) => ({ ...valid, path: path.replace(id, other) })),
    ),
    ...BODIES.map((body): Plan => ({ ...withHeaders(json), body })),
    ...['text/plain', 'application/json; charset=latin1', '\xff'].map((type) => withHeaders(['Content-Type', type])),
    withHeaders(),
    withHeaders(json, json),
    withHeaders(...headers, ...headers, ...headers),
    withHeaders(json, ['Cookie', 'refresh_token=\xff']),
    withHeaders(json, ['Idempotency-Key', 'x'.repeat(20_000)]),
    { ...valid, headers: headers.filter(([name]) => !isCredential(name)) },
    ...['Bearer x', 'Bearer {key}'].map((value) => withHeaders(json, ['Authorization', value])),
  ];
}

function fieldNames(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
