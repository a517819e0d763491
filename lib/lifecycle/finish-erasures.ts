import { inEachCell } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { sweepErasedAccounts } from './anonymize-account';
import { purgeDeletedCustomers } from './purge-customers';
import { removeOrganization } from './purge-organization';
import { purgeProject } from './purge-project';
import {
  deleteDeadMails,
  MAX_PEOPLE,
  MAX_PROJECTS,
  markSwept,
  selectDeletedOrganizations,
  selectDeletedProjects,
  selectUnswept,
} from './purge-sql';

/** How long one project is worked on before the next, and how long the projects of a round keep other erasures waiting. */
const TURN_MS = 10_000;
const ROUND_MS = 20_000;

/**
 * Removes the rows of deleted organizations, projects and customers, and remaining rows of erased people: the second half of every
 * erasure, which survives restarts. Several processes may run it at once.
 *
 * @param signal ends it after the current batch
 * @returns whether there is more work to do at once
 */
export async function finishErasures(signal?: AbortSignal): Promise<boolean> {
  const kinds = [purgeProjects, removeOrganizations, sweepPeople, removeDeadMails, purgeCustomers];
  let isMore = false;
  for (const finish of kinds) {
    if (signal?.aborted === true) return false;
    // A kind of which too much is left to be read must not block the others.
    if ((await orLogFailure(() => finish(signal))) === true) isMore = true;
  }
  return isMore && signal?.aborted !== true;
}

/** @returns whether there are more projects to remove at once */
async function purgeProjects(signal?: AbortSignal): Promise<boolean> {
  const projects = await selectDeletedProjects.all(database());
  const roundEndsAt = performance.now() + ROUND_MS;
  let gone = 0;
  let outOfTime = 0;
  for (const { id } of projects) {
    if (signal?.aborted === true) break;
    if (performance.now() >= roundEndsAt) {
      outOfTime += 1;
      break;
    }
    const endsAt = performance.now() + TURN_MS;
    const result = await orLogFailure(() => purgeProject(id, paced(endsAt, signal)));
    if (result === 'gone') gone += 1;
    if (result === 'out_of_time') outOfTime += 1;
  }
  if (gone > 0) log().info({ projects: gone }, 'removed deleted projects');
  return outOfTime > 0 || (projects.length === MAX_PROJECTS && gone > 0);
}

/** @returns whether there are more organizations to remove at once */
async function removeOrganizations(signal?: AbortSignal): Promise<boolean> {
  const roundEndsAt = performance.now() + ROUND_MS;
  let isMore = false;
  for (const { id } of await selectDeletedOrganizations.all(database())) {
    if (signal?.aborted === true || performance.now() >= roundEndsAt) break;
    const endsAt = performance.now() + TURN_MS;
    await orLogFailure(() => removeOrganization(id, paced(endsAt, signal)));
    if (performance.now() >= endsAt) isMore = true;
  }
  return isMore;
}

/** @returns whether there are more people to sweep at once */
async function sweepPeople(signal?: AbortSignal): Promise<boolean> {
  const people = await selectUnswept.all(database());
  const roundEndsAt = performance.now() + ROUND_MS;
  const sweep = (some: typeof people) =>
    orLogFailure(async () => {
      if (some.length === 0 || signal?.aborted === true) return 0;
      const swept = new Set(await sweepErasedAccounts(idsOf(some), paced(roundEndsAt, signal)));
      return markSwept.run(database(), { users: idsOf(some.filter(({ id, is_last }) => is_last && swept.has(id))) });
    });
  const swept = await sweep(people);
  if (swept === null) for (const each of people) await sweep([each]);
  return (people.length === MAX_PEOPLE && (swept ?? 0) > 0) || performance.now() >= roundEndsAt;
}

async function removeDeadMails(): Promise<boolean> {
  await deleteDeadMails.run(database());
  return false;
}

/** @returns whether there are more customers to remove at once */
async function purgeCustomers(signal?: AbortSignal): Promise<boolean> {
  const ofCells = await inEachCell(() => orLogFailure(() => purgeDeletedCustomers(signal)));
  return ofCells.some((isMore) => isMore === true);
}

const paced = (endsAt: number, signal: AbortSignal | undefined) => ({
  endsAt,
  isPaced: true,
  ...(signal === undefined ? {} : { signal }),
});

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** An erasure that fails must not block the others. */
async function orLogFailure<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log().warn({ err: error }, 'erasure not finished; retrying in a minute');
    return null;
  }
}
