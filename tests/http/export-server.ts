import { type Agent, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll } from 'vitest';
import { download } from '@/lib/api/organization-export/routes';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { database } from '@/lib/platform/db';
import { insertAudit } from '@/tests/fixtures/audit';
import { registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { waitFor } from './receiver';

/** The route of the export. */
export const PATH = '/api/v1/orgs/{orgId}/export';

/**
 * Registers the owner of a large organization before the tests of a file. Stops every started server after each test, and
 * waits until no export holds a connection.
 */
export function useExports() {
  const owner = {} as TestPerson;
  const servers: Server[] = [];
  beforeAll(async () => {
    Object.assign(owner, await registerLargeOwner());
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await waitFor('every export to end', async () => (await countSnapshots()) === 0);
  });
  return {
    owner,
    /** Starts a server with the export alone. */
    startServer: async () => {
      const server = createWebServer({
        match: toMatcher({ [PATH]: { GET: download } }),
        next: async (_message, response) => void response.end(),
        clientAddress: () => '203.0.113.7',
        ownPrefixes: ['/api'],
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      return server;
    },
    /** Requests an export, by default as the owner, and pauses the response after its headers. */
    ask: (server: Server, who = owner, agent: Agent | false = false) => ask(server, who, agent),
  };
}

/** Registers a person whose organization is larger than all buffers together: an export cannot complete before its client reads it. */
export async function registerLargeOwner(): Promise<TestPerson> {
  const person = await registerPerson();
  await insertAudit({ organizationId: person.organizationId, count: 10_000, details: { text: 'x'.repeat(4_000) } });
  return person;
}

/** Counts the connections that exports hold at this moment. */
export async function countSnapshots(): Promise<number> {
  const { rows } = await database().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'event-delivery-service export'`,
  );
  return rows[0]?.count ?? 0;
}

/** Closes these connections. */
export const cutSnapshots = () =>
  database().query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'event-delivery-service export'`,
  );

function ask(server: Server, who: TestPerson, agent: Agent | false): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${who.accessToken}` };
    const path = PATH.replace('{orgId}', who.organizationId);
    httpRequest({ host: '127.0.0.1', port, path, headers, agent }, resolve).on('error', reject).end();
  });
}

/** Reads a response until it ends or its connection breaks. */
export async function readResponse(response: IncomingMessage): Promise<{ text: string; isComplete: boolean }> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
  } catch {
    return { text, isComplete: false };
  }
  return { text, isComplete: response.complete };
}

/** Whether a text is complete JSON. */
export const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
