import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toNext } from '@/lib/http/next-adapter';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { asPerson, makeProject, registerMember, registerPerson } from '@/tests/fixtures/people';
import { call, expectProblem } from '@/tests/http/api-request';
import {
  countSnapshots,
  cutSnapshots,
  isJson,
  PATH,
  readResponse,
  registerLargeOwner,
  useExports,
} from '@/tests/http/export-server';
import { waitFor } from '@/tests/http/receiver';
import { download } from './routes';

useDatabase();

const { owner, startServer, ask } = useExports();

function askThroughNext(who = owner): Promise<Response> {
  const request = new Request(`http://localhost${PATH.replace('{orgId}', who.organizationId)}`, {
    headers: { authorization: `Bearer ${who.accessToken}` },
  });
  const params = Promise.resolve({ orgId: who.organizationId });
  return toNext(PATH, { GET: download }).GET(request, { params });
}

describe('an export is a consistent snapshot of the organization', () => {
  it('even if data changes while it is read', async () => {
    const response = await ask(await startServer());
    await waitFor('the snapshot', async () => (await countSnapshots()) === 1);
    const late = await makeProject(owner, 'Late');
    const { text, isComplete } = await readResponse(response);
    const document = JSON.parse(text) as OrganizationExport;
    expect(isComplete).toBe(true);
    expect(text).not.toContain(late.id);
    expect(document.auditLogsTotal).toBeLessThan((await auditOf(owner.organizationId)).length);
  });
});

describe('a failure of an export', () => {
  it('breaks the connection, so a partial document is never valid JSON', async () => {
    const response = await ask(await startServer());
    await once(response.setEncoding('utf8'), 'readable');
    const start = response.read();
    expect(start).toMatch(/^{"exportedAt":/);
    await cutSnapshots();
    const { text, isComplete } = await readResponse(response);
    expect([isComplete, isJson(start + text)]).toEqual([false, false]);
  });

  it('breaks the body through Next too', async () => {
    const response = await askThroughNext();
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await cutSnapshots();
    const readToEnd = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readToEnd()).rejects.toThrow();
  });

  it('gets an ordinary error response before the first byte', async () => {
    await run('ALTER TABLE organizations RENAME COLUMN updated_at TO updated');
    try {
      const { statusCode } = await ask(await startServer());
      expect(statusCode).toBe(500);
      expect(await countSnapshots()).toBe(0);
    } finally {
      await run('ALTER TABLE organizations RENAME COLUMN updated TO updated_at');
    }
  });
});

describe('a client of an export', () => {
  it('that disconnects releases the snapshot through Next too', async () => {
    const response = await askThroughNext();
    const reader = response.body?.getReader();
    await reader?.read();
    expect(await countSnapshots()).toBe(1);
    await reader?.cancel();
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0, 2_000);
  });
});

describe('with several exports at once', () => {
  it('two run; a third gets 503 with Retry-After and is not audited', async () => {
    const server = await startServer();
    const large = await registerLargeOwner();
    const other = await registerPerson();
    const running = [await ask(server), await ask(server, large)];
    const before = await auditOf(other.organizationId);
    const refused = await call('GET', PATH.replace('{orgId}', other.organizationId), asPerson(other));
    expectProblem(refused, 503, 'overloaded');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await auditOf(other.organizationId)).toEqual(before);
    running[0]?.destroy();
    const isFree = async () => (await ask(server, other)).statusCode === 200;
    await waitFor('a place', isFree);
    running[1]?.destroy();
  });

  it.each([
    ['the organizations of one owner have', async () => (await makeSecondOrganization()).json.id],
    ['an organization, whichever owner asks, has', async () => owner.organizationId],
  ])('%s one, and do not block others', async (_, organizationOf) => {
    const server = await startServer();
    const organizationId = await organizationOf();
    const partner = await registerMember(organizationId, 'OWNER');
    const running = await ask(server);
    const second = await ask(server, { ...partner, organizationId });
    expect([second.statusCode, JSON.parse((await readResponse(second)).text).code]).toEqual([429, 'rate_limited']);
    expect((await ask(server, await registerPerson())).statusCode).toBe(200);
    running.destroy();
  });
  const makeSecondOrganization = () =>
    call<{ id: string }>('POST', '/api/v1/orgs', asPerson(owner, { name: 'Second' }));

  it('one person has one, and does not block others', async () => {
    const server = await startServer();
    const running = await ask(server);
    expect(running.statusCode).toBe(200);
    const again = await ask(server);
    expect([again.statusCode, JSON.parse((await readResponse(again)).text).code]).toEqual([429, 'rate_limited']);
    expect(Number(again.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(isJson((await readResponse(await ask(server, await registerPerson()))).text)).toBe(true);
    running.destroy();
    const isFree = async () => {
      const next = await ask(server);
      next.destroy();
      return next.statusCode === 200;
    };
    await waitFor('the slot to be released', isFree);
  });
});

describe('a server that stops', () => {
  it('finishes a running download and then exits at once, even if the client keeps the connection', async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true });
    const response = await ask(server, owner, agent);
    let isClosed = false;
    server.close(() => {
      isClosed = true;
    });
    server.closeIdleConnections();
    const { text, isComplete } = await readResponse(response);
    expect([isComplete, isJson(text)]).toEqual([true, true]);
    await waitFor('the server to close', () => isClosed, 1_000);
    agent.destroy();
  });
});
