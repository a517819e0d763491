import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import type { SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import type { RowOf } from '@/lib/platform/sql/statement';
import * as sql from './backdate-sql';
import { HISTORY_DAYS } from './history';
import { ADDRESS_OF_ADA, DOROTHY, KATHERINE } from './people';

/** The organization is older than its history, which needs endpoints. */
export const SETUP_MS_AGO = (HISTORY_DAYS + 2) * DAY_MS;
/** How long its owner took to set it up. */
const SETUP_MS = 5 * HOUR_MS;

/** When the rest was created, by name. The test receiver is too new to have missed events. */
const LATER_MS_AGO: Readonly<Record<string, number>> = {
  Reporting: 25 * DAY_MS,
  'ada-laptop': 20 * DAY_MS,
  [KATHERINE]: 2 * DAY_MS,
  [DOROTHY]: 5 * HOUR_MS,
  'Test receiver': 3 * MINUTE_MS,
};

/** Its session is the one that is open now. */
const UNMOVED_ACTION = 'session.created';

export interface BackdatedOrganization {
  organizationId: string;
  projectId: string;
  userId: string;
}

/**
 * Makes what the API has created seconds ago as old as the history, in the same order, with its audit entries.
 */
export async function backdate(tx: SqlTransaction, demo: BackdatedOrganization, now: Date): Promise<void> {
  const { organizationId, projectId, userId } = demo;
  const created = await sql.selectCreated.all(tx, organizationId, projectId);
  const entries = (await sql.selectAudit.all(tx, organizationId, userId)).filter(
    ({ action }) => action !== UNMOVED_ACTION,
  );
  const since = addMs(now, -SETUP_MS_AGO);
  const stretch = makeStretch([...created, ...entries], since);
  const moved = created.map((row) => {
    const msAgo = LATER_MS_AGO[row.name ?? ''];
    return { ...row, at: msAgo === undefined ? stretch(row.at) : addMs(now, -msAgo) };
  });
  for (const table of sql.BACKDATED_TABLES) {
    const rows = moved.filter((row) => row.table === table);
    await sql.moveRows[table].run(tx, ...[rows.map(({ id }) => id), rows.map(({ at }) => at)]);
  }
  await sql.moveOwner.run(tx, organizationId, userId, since);
  await moveAudit(tx, entries, new Map(moved.map(({ id, at }) => [id, at])), stretch);
}

/** Returns a function that spreads the times of rows over the hours of the setup, from its start on. */
function makeStretch(rows: readonly { at: Date }[], start: Date): (at: Date) => Date {
  const times = rows.map(({ at }) => at.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return (at) => addMs(start, Math.round(((at.getTime() - first) / Math.max(1, last - first)) * SETUP_MS));
}

type AuditRow = RowOf<typeof sql.selectAudit.columns>;

/** The log refuses changes. The demo makes one of its own organization, since it would otherwise contradict itself. */
async function moveAudit(
  tx: SqlTransaction,
  entries: readonly AuditRow[],
  times: ReadonlyMap<string, Date>,
  stretch: (at: Date) => Date,
): Promise<void> {
  const moved = entries.map(({ id, action, target_id, at }, n) => {
    const created = action.endsWith('.created') ? times.get(target_id ?? '') : undefined;
    // Entries of one time keep their order.
    return { id, at: addMs(created ?? stretch(at), n) };
  });
  await sql.openAudit.run(tx);
  await sql.moveAudit.run(
    ...[tx, moved.map(({ id }) => id), moved.map(({ at }) => newIdAt(at)), moved.map(({ at }) => at), ADDRESS_OF_ADA],
  );
  await sql.closeAudit.run(tx);
}
