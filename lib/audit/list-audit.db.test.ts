import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { hasMoreAudit } from './list-audit';

useDatabase();

it('tells whether more entries match than a file holds', async () => {
  const organizationId = newId();
  await insertAudit({ organizationId, count: 1_300 });
  expect(await hasMoreAudit(database(), { organizationId }, 1_300)).toBe(false);
  expect(await hasMoreAudit(database(), { organizationId }, 1_299)).toBe(true);
  expect(await hasMoreAudit(database(), { organizationId: newId() }, 0)).toBe(false);
});
