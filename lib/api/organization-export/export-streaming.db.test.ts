import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toNext } from '@/lib/http/next-adapter';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { makeProject } from '@/tests/fixtures/people';
import {
  countSnapshots,
  cutSnapshots,
  impatient,
  isJson,
  PATH,
  readResponse,
  useExports,
  withLimits,
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

  it('and is read from the database at the pace of the client', async () => {
    const response = await ask(await startServer());
    await sleep(300);
    expect(await countSnapshots()).toBe(1);
    expect((await readResponse(response)).text.length).toBeGreaterThan(40_000_000);
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0);
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
  it('that stalls is disconnected, and the snapshot is released', async () => {
    const response = await ask(await startServer(impatient));
    let isBroken = false;
    response.on('error', () => {
      isBroken = true;
    });
    // The headers have arrived, so the snapshot was opened.
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0);
    // Buffered data can still be read; the end never arrives.
    response.resume();
    await waitFor('the connection to break', () => isBroken);
    expect(response.complete).toBe(false);
  });

  it('that reads slowly without stalling gets the entire document', async () => {
    // Longer than any delay on a busy machine, shorter than the download.
    const stallMs = 1_500;
    const startedAt = performance.now();
    const response = await ask(await startServer(withLimits(stallMs)));
    let [size, chunks] = [0, 0];
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      chunks += 1;
      if (chunks % 100 === 0) await sleep(400);
    }
    expect(performance.now() - startedAt).toBeGreaterThan(stallMs);
    expect(response.complete).toBe(true);
    expect(size).toBeGreaterThan(40_000_000);
  });

  it('that reads too slowly is disconnected, and the snapshot is released', async () => {
    const response = await ask(
      await startServer(withLimits(30_000, { periodMs: 500, leastBytesPerSecond: 4_000_000 })),
    );
    let isBroken = false;
    response.on('error', () => {
      isBroken = true;
    });
    response.on('data', () => {
      response.pause();
      setTimeout(() => response.resume(), 40);
    });
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0);
    response.removeAllListeners('data').resume();
    await waitFor('the connection to break', () => isBroken);
    expect(response.complete).toBe(false);
  });

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
