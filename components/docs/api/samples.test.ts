import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openApiDocument } from '@/lib/api/openapi/document';
import { createResources } from '@/lib/client/generated/resources';
import { clientCallsOf } from './client-calls';
import type { ApiDocument } from './document-types';
import { makeReference } from './make-reference';
import {
  curlSample,
  JAVASCRIPT_STYLE,
  JSON_STYLE,
  nodeSample,
  PYTHON_STYLE,
  quote,
  type SampleRequest,
  type SampleValues,
  writeLiteral,
} from './samples';

const REQUEST: SampleRequest = {
  method: 'POST',
  path: '/api/v1/projects/{projectId}/endpoints/{endpointId}',
  credential: 'key',
  query: {},
  headers: {},
  body: { url: 'https://example.com/webhooks' },
  isRaw: false,
  responds: 'json',
  client: null,
};
const VALUES: SampleValues = { baseUrl: 'https://events.example.com', ids: {} };

/** Runs a command in a shell whose curl prints its arguments. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, EDS_API_KEY: 'eds_1' },
  });
  return printed.split('\0').slice(0, -1);
}

it('names the ids to replace, and fills in those that are known', () => {
  expect(
    curlSample(REQUEST, VALUES),
  ).toBe(`curl https://events.example.com/api/v1/projects/PROJECT_ID/endpoints/ENDPOINT_ID \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/webhooks"}'`);
  const { body: _, ...withoutBody } = REQUEST;
  const known = { ...VALUES, ids: { projectId: 'p1' } };
  expect(curlSample({ ...withoutBody, method: 'DELETE', credential: 'person' }, known)).toBe(
    `curl -X DELETE https://events.example.com/api/v1/projects/p1/endpoints/ENDPOINT_ID \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`,
  );
});

it('has the query parameters that the call requires', () => {
  const { body: _, ...withoutBody } = REQUEST;
  const request = { ...withoutBody, method: 'GET', path: '/api/v1/auth/device', query: { userCode: 'a b&c' } };
  expect(argumentsOf(curlSample(request, VALUES))[0]).toBe(
    'https://events.example.com/api/v1/auth/device?userCode=a+b%26c',
  );
});

it('replaces ids in the body', () => {
  const body = {
    endpointId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84',
    ids: [{ projectId: '019b0d4c-7a2e-7c61-9f55-3e0a6f1d2b84' }],
  };
  const command = curlSample({ ...REQUEST, body }, { ...VALUES, ids: { projectId: 'p1' } });
  expect(JSON.parse(argumentsOf(command).at(-1) ?? '')).toEqual({
    endpointId: 'ENDPOINT_ID',
    ids: [{ projectId: 'p1' }],
  });
});

it('is read by a shell as it is meant, whatever ids, headers and body contain', () => {
  const text = fc
    .oneof(
      fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', ' ', '{', '*', ';', '\n', 'a') }),
      fc.string(),
    )
    .filter((each) => !each.includes('\0'));
  fc.assert(
    fc.property(text, text, text, (id, header, member) => {
      const request = { ...REQUEST, headers: { 'Idempotency-Key': header }, body: { [member]: member } };
      const given = argumentsOf(curlSample(request, { ...VALUES, ids: { projectId: id } }));
      const [url, , credential, , idempotencyKey, , , , data = ''] = given;
      expect(url).toBe(`${VALUES.baseUrl}/api/v1/projects/${encodeURIComponent(id)}/endpoints/ENDPOINT_ID`);
      expect([credential, idempotencyKey]).toEqual(['X-API-Key: eds_1', `Idempotency-Key: ${header}`]);
      expect(JSON.stringify(JSON.parse(data))).toBe(JSON.stringify(request.body));
      expect(given).toHaveLength(9);
    }),
    { numRuns: 60 },
  );
});

const KNOWN = { baseUrl: 'https://events.example.com', ids: { projectId: 'p1' } };

const requests = makeReference(
  openApiDocument() as unknown as ApiDocument,
  clientCallsOf(createResources),
).groups.flatMap(({ pages }) => pages.flatMap(({ operations }) => operations));

const find = (id: string) => requests.find((operation) => operation.id === id)?.request as SampleRequest;

it('calls the method of the client', () => {
  expect(nodeSample(find('endpoints.update'), KNOWN)).toBe(`import { EventDeliveryClient } from 'event-delivery-client';

const client = new EventDeliveryClient({
  baseUrl: 'https://events.example.com',
  apiKey: process.env.EDS_API_KEY,
  projectId: 'p1',
});

const result = await client.endpoints.update('ENDPOINT_ID', { description: 'Billing', enabled: true });
console.log(result);`);
  expect(nodeSample(find('projects.get'), KNOWN)).toContain("client.projects.get('p1')");
  expect(nodeSample(find('events.send'), KNOWN)).toContain("{ idempotencyKey: 'order-8f2c1-paid' }");
});

it('uses fetch where the client has no method', () => {
  expect(
    nodeSample(find('auth.logIn'), KNOWN),
  ).toBe(`const response = await fetch('https://events.example.com/api/v1/auth/login', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    email: 'grace@example.com',
    password: 'seven tall ships',
  }),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`);
});

it('has the types of the client for every operation', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'node-samples-'));
  const root = process.cwd();
  try {
    for (const { id, request } of requests) {
      if (request.responds !== 'socket') writeFileSync(path.join(folder, `${id}.ts`), nodeSample(request, KNOWN));
    }
    const config = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { '@/*': [path.join(root, '*')], 'event-delivery-client': [path.join(root, 'lib/client/index.ts')] },
        typeRoots: [path.join(root, 'node_modules/@types')],
        types: ['node'],
        incremental: false,
        plugins: [],
      },
      include: ['*.ts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(checkTypes(folder)).toBe('');
    writeFileSync(path.join(folder, 'bad.ts'), nodeSample(find('endpoints.get'), KNOWN).replace("'ENDPOINT_ID'", '7'));
    expect(checkTypes(folder)).toMatch(/^bad\.ts.*error TS2345/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns what the compiler reports. */
function checkTypes(folder: string): string {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it('writes JavaScript and JSON that have the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const evaluate = new Function(`return (${writeLiteral(value, JAVASCRIPT_STYLE)})`);
      expect(JSON.stringify(evaluate())).toBe(JSON.stringify(value));
      expect(JSON.stringify(JSON.parse(writeLiteral(value, JSON_STYLE)))).toBe(JSON.stringify(value));
    }),
  );
});

it('quotes any text, also one with quotes, backslashes and line breaks', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', '$', '`', '\u2028', 'a') }), (text) => {
      expect(new Function(`return ${quote(text)}`)()).toBe(text);
    }),
  );
});

it('writes short values on one line, and longer ones on several', () => {
  expect(writeLiteral({ a: [1, true], 'b-c': null }, JAVASCRIPT_STYLE)).toBe("{ a: [1, true], ['b-c']: null }");
  expect(writeLiteral({ a: [1, true], b: null }, PYTHON_STYLE)).toBe("{'a': [1, True], 'b': None}");
  expect(writeLiteral({ a: [1, true], b: null }, JSON_STYLE)).toBe('{"a": [1, true], "b": null}');
  const long = { first: 'a text of many characters', second: 'another text of many characters' };
  expect(writeLiteral(long, PYTHON_STYLE, '    ')).toBe(
    "{\n        'first': 'a text of many characters',\n        'second': 'another text of many characters',\n    }",
  );
  expect(writeLiteral([], JSON_STYLE) + writeLiteral({}, JSON_STYLE)).toBe('[]{}');
});
