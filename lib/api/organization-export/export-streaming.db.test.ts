import { Agent, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { person } from '@/lib/api/callers';
import type { ThroughputLimits } from '@/lib/http/client-throughput';
import { DOWNLOAD_LIMITS } from '@/lib/http/download';
import { toNext } from '@/lib/http/next-adapter';
import { route } from '@/lib/http/route';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf, insertAudit } from '@/tests/fixtures/audit';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { download, respondWithExport } from './routes';

useDatabase();

const PATH = '/api/v1/orgs/{orgId}/export';
const STALL_MS = 400;

/** The route with shorter limits for slow clients. */
const withLimits = (stallMs: number, limits: Partial<ThroughputLimits> = {}) =>
  route({
    summary: 'Export.',
    caller: person('organization.export'),
    params: ['orgId'],
    response: { status: 200 },
    lane: 'node',
    handler: ({ caller }) => respondWithExport(caller, { ...DOWNLOAD_LIMITS, stallMs, ...limits }),
  });
const impatient = withLimits(STALL_MS);

const servers: Server[] = [];
async function startServer(definition = download): Promise<Server> {
  const server = createWebServer({
    match: toMatcher({ [PATH]: { GET: definition } }),
    next: async (_message, response) => void response.end(),
    clientAddress: () => '203.0.113.7',
    ownPrefixes: ['/api'],
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

/** Larger than all buffers together: the export cannot be complete before the client reads it. */
let owner: TestPerson;
beforeAll(async () => {
  owner = await registerPerson();
  await insertAudit({ organizationId: owner.organizationId, count: 10_000, details: { text: 'x'.repeat(4_000) } });
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await waitFor('every export to end', async () => (await countSnapshots()) === 0);
});

/** The connections that exports hold at this moment. */
async function countSnapshots(): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'event-delivery-service export'`,
  );
  return rows[0]?.count ?? 0;
}

const cutSnapshots = () =>
  database().query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'event-delivery-service export'`,
  );

/** Requests an export, and pauses the response after its headers. */
function ask(server: Server, who = owner, agent: Agent | false = false): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${who.accessToken}` };
    const path = PATH.replace('{orgId}', who.organizationId);
    httpRequest({ host: '127.0.0.1', port, path, headers, agent }, resolve).on('error', reject).end();
  });
}

/** Reads a response until it is complete or broken off. */
async function readResponse(response: IncomingMessage): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
  } catch {
    return { text, isWhole: false };
  }
  return { text, isWhole: response.complete };
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

function askThroughNext(who = owner): Promise<Response> {
  const request = new Request(`http://localhost${PATH.replace('{orgId}', who.organizationId)}`, {
    headers: { authorization: `Bearer ${who.accessToken}` },
  });
  const params = Promise.resolve({ orgId: who.organizationId });
  return toNext(PATH, { GET: download }).GET(request, { params });
}

describe('an export shows one state of the organization', () => {
  it('even if data changes while it is read', async () => {
    const response = await ask(await startServer());
    await waitFor('the snapshot', async () => (await countSnapshots()) === 1);
    const late = await makeProject(owner, 'Late');
    const { text, isWhole } = await readResponse(response);
    const document = JSON.parse(text) as OrganizationExport;
    expect(isWhole).toBe(true);
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
  it('breaks the connection: a partial document never ends well-formed', async () => {
    const response = await ask(await startServer());
    await waitFor('the snapshot', async () => (await countSnapshots()) === 1);
    await cutSnapshots();
    const { text, isWhole } = await readResponse(response);
    expect(text.startsWith('{"exportedAt":')).toBe(true);
    expect([isWhole, isJson(text)]).toEqual([false, false]);
  });

  it('breaks the body through Next too', async () => {
    const response = await askThroughNext();
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await cutSnapshots();
    const readOn = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readOn()).rejects.toThrow();
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
    let brokeOff = false;
    response.on('error', () => {
      brokeOff = true;
    });
    // The headers have arrived, so the snapshot is open, maybe not for long.
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0);
    // The rest of the buffers may still be read; the end never arrives.
    response.resume();
    await waitFor('the connection to break', () => brokeOff);
    expect(response.complete).toBe(false);
  });

  it('that reads slowly without stalling gets the entire document', async () => {
    // Longer than a busy machine delays this process, shorter than the entire download.
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

  it('that reads too little is disconnected, and the snapshot is released', async () => {
    const response = await ask(
      await startServer(withLimits(30_000, { periodMs: 500, leastBytesPerSecond: 4_000_000 })),
    );
    let brokeOff = false;
    response.on('error', () => {
      brokeOff = true;
    });
    response.on('data', () => {
      response.pause();
      setTimeout(() => response.resume(), 40);
    });
    await waitFor('the snapshot to be released', async () => (await countSnapshots()) === 0);
    response.removeAllListeners('data').resume();
    await waitFor('the connection to break', () => brokeOff);
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

describe('with several exports at once', () => {
  it('two run; a third gets 503 with Retry-After and is not audited', async () => {
    const server = await startServer();
    const partner = await registerMember(owner.organizationId, 'OWNER');
    const running = [await ask(server), await ask(server, { ...partner, organizationId: owner.organizationId })];
    const other = await registerPerson();
    const before = await auditOf(other.organizationId);
    const refused = await call('GET', PATH.replace('{orgId}', other.organizationId), { bearer: other.accessToken });
    expect([refused.status, refused.json.code]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await auditOf(other.organizationId)).toEqual(before);
    running[0]?.destroy();
    const isFree = async () => (await ask(server, other)).statusCode === 200;
    await waitFor('a place', isFree);
    running[1]?.destroy();
  });

  it('one person has one, and does not block others', async () => {
    const server = await startServer();
    const running = await ask(server);
    expect(running.statusCode).toBe(200);
    const again = await ask(server);
    expect([again.statusCode, JSON.parse((await readResponse(again)).text).code]).toEqual([429, 'rate_limited']);
    expect(Number(again.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const other = await readResponse(await ask(server, await registerPerson()));
    expect(isJson(other.text)).toBe(true);
    running.destroy();
    const isFree = async () => {
      const next = await ask(server);
      next.destroy();
      return next.statusCode === 200;
    };
    await waitFor('the slot to be released', isFree);
  });

  it('a slot is released however an export ends', async () => {
    const [patientOne, impatientOne] = [await startServer(), await startServer(impatient)];
    const ends: [Server, (response: IncomingMessage) => Promise<void>][] = [
      [patientOne, async (response) => void (await readResponse(response))],
      [patientOne, async (response) => void response.destroy()],
      [
        patientOne,
        async (response) => {
          await cutSnapshots();
          await readResponse(response);
        },
      ],
      [
        impatientOne,
        async (response) => {
          response.on('error', () => undefined);
          await sleep(STALL_MS * 2);
        },
      ],
    ];
    for (const [server, end] of ends) {
      for (let time = 0; time < 2; time++) {
        const response = await ask(server);
        expect(response.statusCode).toBe(200);
        await end(response);
        await waitFor('its end', async () => (await countSnapshots()) === 0);
      }
    }
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
    const { text, isWhole } = await readResponse(response);
    expect([isWhole, isJson(text)]).toEqual([true, true]);
    await waitFor('the server to close', () => isClosed, 1_000);
    agent.destroy();
  });
});
