import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, it } from 'vitest';
import { isDatabaseUnreachable } from './database-errors';
import { PrismaClient } from './prisma/generated/client';

it('says that a server whose socket is gone is unreachable, and not that a file is missing', async () => {
  const connection = { host: '/nowhere/at/all', user: 'nobody', database: 'none' };
  const plain = await new pg.Client(connection).connect().catch((error: unknown) => error);
  const prisma = new PrismaClient({ adapter: new PrismaPg(connection) });
  const byPrisma = await prisma.project.findFirst().catch((error: unknown) => error);
  expect([plain, byPrisma].map(isDatabaseUnreachable)).toEqual([true, true]);
  expect(isDatabaseUnreachable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
    false,
  );
});
