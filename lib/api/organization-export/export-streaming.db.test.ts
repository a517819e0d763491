import { describe, expect, it } from 'vitest';
import { toNext } from '@/lib/http/next-adapter';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { makeProject } from '@/tests/fixtures/people';
import { countSnapshots, cutSnapshots, isJson, PATH, readResponse, useExports } from '@/tests/http/export-server';
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
    await waitFor('the snapshot', async () => (await countSnapshots()) === 1);
    await cutSnapshots();
    const { text, isComplete } = await readResponse(response);
    expect(text.startsWith('{"exportedAt":')).toBe(true);
    expect([isComplete, isJson(text)]).toEqual([false, false]);
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
    await database().query('ALTER TABLE organizations RENAME COLUMN updated_at TO updated');
    try {
      const { statusCode } = await ask(await startServer());
      expect(statusCode).toBe(500);
      expect(await countSnapshots()).toBe(0);
    } finally {
      await database().query('ALTER TABLE organizations RENAME COLUMN updated TO updated_at');
    }
  });
});

describe('a client of an export', () => {
  it('that disconnects releases the snapshot at once', async () => {
    const response = await ask(await startServer());
    await waitFor('the snapshot', async () => (await countSnapshots()) === 1);
    response.destroy();
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0, 2_000);
  });

  it('that disconnects releases the snapshot through Next too', async () => {
    const response = await askThroughNext();
    const reader = response.body?.getReader();
    await reader?.read();
    expect(await countSnapshots()).toBe(1);
    await reader?.cancel();
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0, 2_000);
  });
});
