import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { ApiDocument } from '@/components/docs/api/document-types';
import { makeReference } from '@/components/docs/api/make-reference';
import { openApiDocument } from '@/lib/api/openapi/document';
import { createResources } from '@/lib/client/resources/create-resources';
import { clientCallsOf } from './client-calls';
import { nodeSample } from './node-sample';
import type { SampleRequest } from './sample-request';

const VALUES = { baseUrl: 'https://events.example.com', ids: { projectId: 'p1' } };

const requests = makeReference(
  openApiDocument() as unknown as ApiDocument,
  clientCallsOf((api) => createResources(api as never)),
).groups.flatMap(({ pages }) => pages.flatMap(({ operations }) => operations));

const find = (id: string) => requests.find((operation) => operation.id === id)?.request as SampleRequest;

it('calls the method of the client', () => {
  expect(
    nodeSample(find('endpoints.update'), VALUES),
  ).toBe(`import { EventDeliveryClient } from 'event-delivery-client';

const client = new EventDeliveryClient({
  baseUrl: 'https://events.example.com',
  apiKey: process.env.EDS_API_KEY,
  projectId: 'p1',
});

const result = await client.endpoints.update('ENDPOINT_ID', { description: 'Billing', enabled: true });
console.log(result);`);
  expect(nodeSample(find('projects.get'), VALUES)).toContain("client.projects.get('p1')");
  expect(nodeSample(find('events.send'), VALUES)).toContain("{ idempotencyKey: 'order-8f2c1-paid' }");
});

it('uses fetch where the client has no method', () => {
  expect(
    nodeSample(find('auth.logIn'), VALUES),
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
      if (request.responds !== 'socket') writeFileSync(path.join(folder, `${id}.ts`), nodeSample(request, VALUES));
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
    writeFileSync(path.join(folder, 'bad.ts'), nodeSample(find('endpoints.get'), VALUES).replace("'ENDPOINT_ID'", '7'));
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
