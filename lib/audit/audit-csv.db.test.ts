import { expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { writeAuditCsv } from './audit-csv';

useDatabase();

async function linesOf(organizationId: string, maxRows: number) {
  const { isTruncated, chunks } = await writeAuditCsv({ organizationId }, maxRows);
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return { isTruncated, count: text.split('\r\n').length - 2, newest: text.split('\r\n')[1], text };
}

it('the CSV file holds the newest entries up to its limit, and tells whether it is truncated', async () => {
  const organizationId = newId();
  await insertAudit({ organizationId, count: 1_300 });
  const whole = await linesOf(organizationId, 1_300);
  expect(whole).toMatchObject({ isTruncated: false, count: 1_300 });
  const cut = await linesOf(organizationId, 1_299);
  expect(cut).toMatchObject({ isTruncated: true, count: 1_299, newest: whole.newest });
  expect(whole.text.startsWith(cut.text)).toBe(true);
});

it('the CSV file of an empty audit log has only the header line', async () => {
  expect(await linesOf(newId(), 10)).toMatchObject({ isTruncated: false, count: 0 });
});
