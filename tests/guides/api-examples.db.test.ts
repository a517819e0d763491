import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { ApiDocument } from '@/components/docs/api/document-types';
import { makeReference } from '@/components/docs/api/make-reference';
import { curlSample } from '@/components/docs/api/samples';
import { openApiDocument } from '@/lib/api/openapi/document';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { openPortal } from '@/tests/fixtures/portal';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

/** GETs that need what a test without a provider or a device with a code does not have. */
const WITHOUT_SUCCESS = /\/auth\/(?:oauth\/|device\?)|\/ingress\//;

const requests = makeReference(openApiDocument() as unknown as ApiDocument, {}).groups.flatMap(({ pages }) =>
  pages.flatMap(({ operations }) => operations.map(({ request }) => request)),
);

/** Returns the URL and the headers that a shell gives to curl. */
function argumentsOf(command: string, env: Record<string, string>) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } });
  const given = printed.split('\0').slice(0, -1);
  const headers = given.filter((_, index) => given[index - 1] === '-H').map((header) => header.split(/: (.*)/s));
  return {
    url: given.find((argument) => argument.startsWith('http')) ?? '',
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
  };
}

it('every curl example of a GET whose ids are known succeeds as it is shown', async () => {
  const { id, key, owner } = await makeTestProject();
  const ids = { projectId: id, orgId: owner.organizationId, organizationId: owner.organizationId };
  await call('POST', `/api/v1/projects/${id}/customers`, { apiKey: key, body: { uid: 'acme' } });
  const PORTAL_TOKEN = await openPortal(id, 'acme', { apiKey: key });
  const env = { EDS_API_KEY: key, PORTAL_TOKEN, ACCESS_TOKEN: owner.accessToken, PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN };
  const answers: string[] = [];
  for (const request of requests.filter(({ method, responds }) => method === 'GET' && responds !== 'socket')) {
    const command = curlSample(request, { baseUrl: 'http://localhost:3000', ids });
    const { url, headers } = argumentsOf(command, env);
    if (/\/[A-Z_]{3,}(?=[/?]|$)/.test(url) || WITHOUT_SUCCESS.test(url)) continue;
    const { status } = await call('GET', url.replace('http://localhost:3000', ''), { headers });
    answers.push(`${status} ${url}`);
  }
  expect(answers.length).toBeGreaterThan(30);
  expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
});
