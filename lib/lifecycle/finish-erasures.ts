import { inEachCell } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { sweepErasedAccount } from './anonymize-account';
import { purgeDeletedCustomers } from './purge-customers';
import { removeOrganization } from './purge-organization';
import { purgeProject } from './purge-project';
import {
  deleteDeadMails,
  MAX_PROJECTS,
  selectDeletedOrganizations,
  selectDeletedProjects,
  selectRecentlyErased,
} from './purge-sql';

/** How long one project is worked on before the next. */
const TURN_MS = 10_000;
/**
 * Removes the rows of deleted organizations, projects and customers, and remaining rows of erased people: the second half of every
 * erasure, which survives restarts. Several processes may run it at once.
 *
 * @param signal ends it after the current batch
 * @returns whether there is more work to do at once
 */
export async function finishErasures(signal?: AbortSignal): Promise<boolean> {
  const projects = await selectDeletedProjects.all(database());
  let gone = 0;
  let outOfTime = 0;
  for (const { id } of projects) {
    if (signal?.aborted === true) return false;
    const endsAt = performance.now() + TURN_MS;
    const result = await orLogFailure(() =>
      purgeProject(id, { endsAt, isPaced: true, ...(signal === undefined ? {} : { signal }) }),
    );
    if (result === 'gone') gone += 1;
    if (result === 'out_of_time') outOfTime += 1;
  }
  for (const { id } of await selectDeletedOrganizations.all(database())) {
    await orLogFailure(() => removeOrganization(id));
  }
  for (const { id } of await selectRecentlyErased.all(database())) {
    await orLogFailure(() => retryLockedTransaction((tx) => sweepErasedAccount(tx, id)));
  }
  await deleteDeadMails.run(database());
  const ofCustomers = await inEachCell(() => orLogFailure(() => purgeDeletedCustomers(signal)));
  const isMoreOfCustomers = ofCustomers.some((isMore) => isMore === true);
  if (gone > 0) log().info({ projects: gone }, 'removed deleted projects');
  return isMoreOfCustomers || outOfTime > 0 || (projects.length === MAX_PROJECTS && gone > 0);
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
