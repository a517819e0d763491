import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { closeDatabase, database } from '@/lib/platform/db';
import { closePrisma, prisma } from '@/lib/platform/prisma/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { useDatabase } from '@/tests/database/use-database';
import { setTestConfig, testVariables } from '@/tests/setup/variables';
import { config } from './config/config';

const variables = testVariables();
const db = useDatabase(variables);
const ROUNDS = 40;
const AT_ONCE = 12;
const CUT_EVERY_MS = 7;

/** Leads to the database, and can cut every connection, also half of them. */
let [proxy, sockets]: [net.Server, Set<net.Socket>] = [net.createServer(), new Set()];

beforeAll(async () => {
  const { hostname, port } = new URL(db.url);
  proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  await Promise.all([closeDatabase(), closePrisma()]);
  const url = new URL(db.url);
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
  setTestConfig({ ...variables, DATABASE_URL: url.href });
});
afterAll(async () => {
  await Promise.all([closeDatabase(), closePrisma()]);
  proxy.close();
});

const WORK: Record<string, () => Promise<unknown>> = {
  'a statement of pg': () => database().query('SELECT pg_sleep(0.005)'),
  'a query of Prisma': () => prisma().user.findFirst(),
  'a transaction of Prisma': () =>
    inTransaction(async (tx) => {
      await tx.prisma.user.findFirst();
      await tx.prisma.$executeRawUnsafe('SELECT pg_sleep(0.005)');
      return tx.prisma.organization.findFirst();
    }),
};

it.each(Object.entries(WORK))(
  'a connection that is cut at any moment of %s counts as an unreachable database',
  async (_, work) => {
    expect(config().DATABASE_URL).not.toBe(db.url);
    const faults: unknown[] = [];
    let turn = 0;
    const cutting = setInterval(() => {
      turn += 1;
      for (const socket of sockets) turn % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
    }, CUT_EVERY_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch((error: unknown) => faults.push(error))));
    }
    clearInterval(cutting);
    expect(faults.length).toBeGreaterThan(20);
    const others = faults.filter((error) => !isDatabaseUnreachable(error));
    expect(others.map((error) => JSON.stringify([String(error), error]))).toEqual([]);
  },
  120_000,
);
