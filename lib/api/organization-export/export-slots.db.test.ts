import { Agent, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { registerMember, registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import {
  countSnapshots,
  cutSnapshots,
  impatient,
  isJson,
  PATH,
  readResponse,
  registerLargeOwner,
  STALL_MS,
  useExports,
} from '@/tests/http/export-server';
import { waitFor } from '@/tests/http/receiver';

useDatabase();
const { owner, startServer, ask } = useExports();

describe('with several exports at once', () => {
  it('two run; a third gets 503 with Retry-After and is not audited', async () => {
    const server = await startServer();
    const [large, other] = [await registerLargeOwner(), await registerPerson()];
    const running = [await ask(server), await ask(server, large)];
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

  it('one that nobody reads makes room for a third within seconds; one that is read does not', async () => {
    const server = await startServer();
    const [large, other] = [await registerLargeOwner(), await registerPerson()];
    const stalled = await ask(server);
    const reading = await ask(server, large);
    let isPatient = true;
    const end = (async () => {
      let text = '';
      for await (const chunk of reading.setEncoding('utf8')) {
        text += chunk;
        if (isPatient) await sleep(100);
      }
      return text;
    })();
    await waitFor('a place', async () => (await ask(server, other)).statusCode === 200, 15_000);
    expect((await readResponse(stalled)).isComplete).toBe(false);
    isPatient = false;
    expect(isJson(await end)).toBe(true);
  });

  it('the organizations of one owner have one together, and do not block others', async () => {
    const server = await startServer();
    const { accessToken: bearer } = owner;
    const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', { bearer, body: { name: 'Second' } });
    const partner = await registerMember(json.id, 'OWNER');
    const running = await ask(server);
    expect((await ask(server, { ...partner, organizationId: json.id })).statusCode).toBe(429);
    expect((await ask(server, await registerPerson())).statusCode).toBe(200);
    running.destroy();
  });

  it('an organization has one, whichever owner asks, and does not block others', async () => {
    const server = await startServer();
    const partner = await registerMember(owner.organizationId, 'OWNER');
    const running = await ask(server);
    const second = await ask(server, { ...partner, organizationId: owner.organizationId });
    expect([second.statusCode, JSON.parse((await readResponse(second)).text).code]).toEqual([429, 'rate_limited']);
    const other = await readResponse(await ask(server, await registerPerson()));
    expect(isJson(other.text)).toBe(true);
    running.destroy();
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
    const { text, isComplete } = await readResponse(response);
    expect([isComplete, isJson(text)]).toEqual([true, true]);
    await waitFor('the server to close', () => isClosed, 1_000);
    agent.destroy();
  });
});
