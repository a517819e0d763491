import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { sweepErasedAccount } from './anonymize-account';
import { removeOrganization } from './purge-organization';
import { purgeProject } from './purge-project';

/** How long one project is worked on before the next. */
const TURN_MS = 10_000;
const MAX_PROJECTS = 100;

/** Projects that are deleted, alone or with their organization, and not removed yet; oldest first. */
const DELETED_PROJECTS_SQL = `
  SELECT id FROM projects WHERE deleted_at IS NOT NULL
  UNION SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE o.deleted_at IS NOT NULL
  ORDER BY id LIMIT ${MAX_PROJECTS}`;

const DELETED_ORGANIZATIONS_SQL = `
  SELECT o.id FROM organizations o WHERE o.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id) ORDER BY o.id LIMIT 1000`;

/** An hour: every request that was authorized before the erasure has ended by then. */
const RECENTLY_ERASED_SQL = `SELECT id FROM users WHERE erased_at > now() - interval '1 hour' ORDER BY id`;

/*
 * Deletes the last mail to an erased person when it could not be sent: retention keeps dead rows for months. The index
 * on dead rows is small.
 */
const DEAD_MAILS_SQL = `
  DELETE FROM outbox o USING users u
  WHERE o.status = 'DEAD' AND o.kind = 'MAIL' AND u.id = o.user_id AND u.erased_at IS NOT NULL`;

/**
 * Removes the rows of deleted organizations and projects, and remaining rows of erased people: the second half of every
 * erasure, which survives restarts. Several processes may run it at once.
 *
 * @param signal ends it after the current batch
 * @returns whether there is more work to do at once
 */
export async function finishErasures(signal?: AbortSignal): Promise<boolean> {
  const projects = await listIds(DELETED_PROJECTS_SQL);
  let [gone, outOfTime] = [0, 0];
  for (const id of projects) {
    if (signal?.aborted === true) return false;
    const endsAt = performance.now() + TURN_MS;
    const result = await orLogFailure(() =>
      purgeProject(id, { endsAt, isPaced: true, ...(signal === undefined ? {} : { signal }) }),
    );
    if (result === 'gone') gone += 1;
    if (result === 'out_of_time') outOfTime += 1;
  }
  for (const id of await listIds(DELETED_ORGANIZATIONS_SQL)) await orLogFailure(() => removeOrganization(id));
  for (const id of await listIds(RECENTLY_ERASED_SQL)) {
    await orLogFailure(() => retryLockedTransaction((tx) => sweepErasedAccount(tx, id)));
  }
  await database().query(DEAD_MAILS_SQL);
  if (gone > 0) log().info({ projects: gone }, 'removed deleted projects');
  return outOfTime > 0 || (projects.length === MAX_PROJECTS && gone > 0);
}

async function listIds(sql: string): Promise<string[]> {
  const { rows } = await database().query<{ id: string }>(sql);
  return rows.map(({ id }) => id);
}

/** An erasure that fails must not block the others. */
async function orLogFailure<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log().warn({ err: error }, 'erasure not finished; retrying in a minute');
    return null;
  }
}
