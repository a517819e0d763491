import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { yieldingTransaction } from '@/lib/platform/yielding-transaction';
import { sweepErasedPerson } from './forget-person';
import { removeOrganization } from './purge-organization';
import { purgeProject } from './purge-project';

/** So long for one project before the next has its turn. */
const TURN_MS = 10_000;
const MAX_PROJECTS = 100;

/** The projects that are deleted, by themselves or with their organization, and not yet removed: oldest first. */
const DELETED_PROJECTS_SQL = `
  SELECT id FROM projects WHERE deleted_at IS NOT NULL
  UNION SELECT p.id FROM projects p JOIN organizations o ON o.id = p.organization_id WHERE o.deleted_at IS NOT NULL
  ORDER BY id LIMIT ${MAX_PROJECTS}`;

const DELETED_ORGANIZATIONS_SQL = `
  SELECT o.id FROM organizations o WHERE o.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM projects p WHERE p.organization_id = o.id) ORDER BY o.id LIMIT 1000`;

/** A request let in before the erasure has long ended by then. */
const ERASED_LATELY_SQL = `SELECT id FROM users WHERE erased_at > now() - interval '1 hour' ORDER BY id`;

/*
 * The last mail to an erased person, when no mail server would take it: retention keeps dead rows for months. Read by the
 * index of what is dead, which is little.
 */
const DEAD_MAILS_SQL = `
  DELETE FROM outbox o USING users u
  WHERE o.status = 'DEAD' AND o.kind = 'MAIL' AND u.id = o.user_id AND u.erased_at IS NOT NULL`;

/**
 * Removes what deleted organizations and projects have left, and what erased people may still have: the second half of
 * every erasure, through restarts. Any number of processes may do it at once.
 *
 * @param signal ends it after the batch under way
 * @returns whether there is more to do right away
 */
export async function finishErasures(signal?: AbortSignal): Promise<boolean> {
  const projects = await listIds(DELETED_PROJECTS_SQL);
  let [gone, outOfTime] = [0, 0];
  for (const id of projects) {
    if (signal?.aborted === true) return false;
    const endsAt = performance.now() + TURN_MS;
    const result = await unlessItFails(() =>
      purgeProject(id, { endsAt, isPaced: true, ...(signal === undefined ? {} : { signal }) }),
    );
    if (result === 'gone') gone += 1;
    if (result === 'out_of_time') outOfTime += 1;
  }
  for (const id of await listIds(DELETED_ORGANIZATIONS_SQL)) await unlessItFails(() => removeOrganization(id));
  for (const id of await listIds(ERASED_LATELY_SQL)) {
    await unlessItFails(() => yieldingTransaction((tx) => sweepErasedPerson(tx, id)));
  }
  await database().query(DEAD_MAILS_SQL);
  if (gone > 0) log().info({ projects: gone }, 'removed deleted projects');
  return outOfTime > 0 || (projects.length === MAX_PROJECTS && gone > 0);
}

async function listIds(sql: string): Promise<string[]> {
  const { rows } = await database().query<{ id: string }>(sql);
  return rows.map(({ id }) => id);
}

/** One that cannot be finished must not keep the others from it. */
async function unlessItFails<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log().warn({ err: error }, 'an erasure could not be finished; trying again in a minute');
    return null;
  }
}
