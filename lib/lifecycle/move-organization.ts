import { setTimeout as sleep } from 'node:timers/promises';
import { recordAudit } from '@/lib/audit/record-audit';
import { setSearchPath, waitForTargetLocks } from '@/lib/platform/cells/cells-sql';
import { inCell, inEachCell, searchPathOf } from '@/lib/platform/cells/current-cell';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { isStatementCanceled } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS, STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, directDatabase, inSqlTransaction, type Sql, withConnection } from '@/lib/platform/db';
import { listDays } from '@/lib/retention/partitions/list-partitions';
import { withLockRetries } from '@/lib/retention/partitions/locks';
import { createPartitions } from '@/lib/retention/partitions/make-partitions';
import { BRANCHES, type Period } from '@/lib/retention/partitions/partitions';
import { limitLockWaits } from '@/lib/retention/partitions/partitions-sql';
import { rollUpBatch } from '@/lib/stats/roll-up';
import { type Belongings, copyChanges, copyRest, copyRows, inTarget, moveWork } from './copy-organization';
import { deleteAllChanges, GUARDED_TABLES, readTables } from './copy-rows-sql';
import {
  analyzeWork,
  announceMove,
  beginMoving,
  beginNotes,
  countGuards,
  deleteForgottenChanges,
  deleteMove,
  findLiving,
  findMove,
  findMovedMs,
  findPause,
  guardTable,
  insertMove,
  lastGuardOf,
  limitWaits,
  listForgottenGuards,
  lockMove,
  lockOrganization,
  type MoveRow,
  noteMoved,
  pauseWork,
  releaseMoverLock,
  renewNotes,
  resumeWork,
  selectProjectsOf,
  switchCell,
  tryMoverLock,
  unguardTable,
  wakeWorkers,
} from './move-sql';
import { emptyOtherCell } from './purge-project';
import { PROJECT_TABLES } from './purge-sql';

/** A reason for the operator, in one line. */
export class MoveError extends Error {
  override name = 'MoveError';
}

interface MoveOptions {
  /** Gets a line for each step. */
  onProgress?: (line: string) => void;
  /** How long the work of the organization pauses before it moves: longer than any lease. */
  pauseMs?: number;
  /** How long the cell that it left refuses to write for it, before it is emptied: longer than any process believes that it is there. */
  fenceMs?: number;
}

/** The lease of a delivery, and time for those of the outbox that became deliveries at its end. */
const PAUSE_MS = 35 * SECOND_MS;
/** Twice the time for which a process may remember the cell of an organization, and time for downloads. */
const FENCE_MS = 5 * MINUTE_MS;
/** The last step begins no statement after this time, and waits for its lock for a second: with the last statement, 5 s. */
const SWITCH_MS = 2.5 * SECOND_MS;
const SWITCH_STATEMENT_MS = 1.5 * SECOND_MS;
/** Of that, for moving pending deliveries. The rest follows. */
const MOVE_WORK_MS = 1.5 * SECOND_MS;
/** More than these are copied before the last step. */
const MANY_CHANGES = 500;
/** How long changes are copied until few are left. */
const CATCH_UP_MS = 10 * MINUTE_MS;
/** Changes are noted for an hour after the mover was last seen. */
const SEEN_MS = MINUTE_MS;
const MAX_TRIES = 20;
const PAUSE_BETWEEN_TRIES_MS = SECOND_MS;

/**
 * Moves what an organization has to another cell while it works (docs/decisions/081-moves-between-cells.md). A move that was interrupted
 * goes on where it was; one to the cell in which the organization still is takes it back.
 * @throws MoveError
 */
export async function moveOrganization(
  organizationId: string,
  target: string,
  options: MoveOptions = {},
): Promise<void> {
  await withConnection(directDatabase(), STATEMENT_MS, async (session) => {
    const { taken } = await tryMoverLock.one(session, { organization: organizationId });
    if (!taken) throw new MoveError('Another process moves this organization.');
    // A move whose notes have ended cannot be finished: what fails here is found by the last step.
    const renew = () => renewNotes.run(database(), { organization: organizationId }).catch(() => 0);
    const renewal = setInterval(() => void renew(), SEEN_MS);
    try {
      await moveAlone(organizationId, target, options);
    } finally {
      clearInterval(renewal);
      await releaseMoverLock.run(session, { organization: organizationId });
    }
  });
}

async function moveAlone(organizationId: string, target: string, options: MoveOptions): Promise<void> {
  const { onProgress = () => undefined, fenceMs = FENCE_MS } = options;
  await endForgotten();
  const move = await beginMove(organizationId, target);
  if (move.moved_at === null && target === move.source) return takeBack(await belongingsOf(move), onProgress);
  if (target !== move.target) throw new MoveError(`It moves to ${move.target}: let that end first.`);
  if (move.moved_at === null) await copyAndSwitch(move, options);
  const all = await belongingsOf(move);
  onProgress('Moving what waits');
  while (await moveRest(all));
  await inCell(target, () => wakeWorkers.run(database()));
  await analyze(target);
  onProgress(`It works in ${target}. Emptying ${move.source} begins when no process can think that it is there`);
  const { ms } = await findMovedMs.one(database(), { organization: organizationId });
  await sleep(Math.max(0, fenceMs - ms));
  await emptyCell(all, move.source);
  await analyze(move.source);
  await endMove(all);
  onProgress('Done');
}

/** Returns the move of an organization that has not ended, or begins one. */
async function beginMove(organization: string, target: string): Promise<MoveRow> {
  const begun = await findMove.first(database(), { organization });
  if (begun !== undefined) return begun;
  const found = await findLiving.first(database(), { organization });
  if (found === undefined) throw new MoveError('There is no such organization.');
  if (found.cell === target) throw new MoveError(`It is in ${target} already.`);
  await insertMove.run(database(), { organization, source: found.cell, target });
  return findMove.one(database(), { organization });
}

async function belongingsOf({ organization_id: organizationId, source, target }: MoveRow): Promise<Belongings> {
  const { projects } = await selectProjectsOf.one(database(), { organization: organizationId });
  return { organizationId, source, target, projects: projects ?? [], tables: await readTables(database(), target) };
}

async function copyAndSwitch(
  move: MoveRow,
  { onProgress = () => undefined, pauseMs = PAUSE_MS }: MoveOptions,
): Promise<void> {
  const organization = move.organization_id;
  let all = await belongingsOf(move);
  await forgetUnnoted(all);
  await awaitRemovals(all.target);
  await guard(all);
  await copyAll(all, all.projects, onProgress);
  await catchUp(all);
  onProgress('Pausing its deliveries until those under way have ended');
  await pauseWork.run(database(), { organization });
  try {
    let pausedAt = performance.now();
    for (let tries = 0; tries < MAX_TRIES; ) {
      const { projects } = await selectProjectsOf.one(database(), { organization });
      if ((await findLiving.first(database(), { organization })) === undefined) {
        await takeBack(all, onProgress);
        throw new MoveError('The organization was deleted.');
      }
      const added = projects?.filter((id) => !all.projects.includes(id)) ?? [];
      if (added.length > 0) {
        all = { ...all, projects: [...all.projects, ...added] };
        await guard(all);
        await copyAll(all, added, onProgress);
      }
      await catchUp(all);
      const isHeld = (await findPause.first(database(), { organization }))?.is_paused === true;
      await pauseWork.run(database(), { organization });
      if (!isHeld) pausedAt = performance.now();
      const isQuiet = performance.now() - pausedAt >= pauseMs;
      if (isQuiet && (await trySwitch(all))) return;
      if (isQuiet || !isHeld) tries++;
      await sleep(Math.min(PAUSE_BETWEEN_TRIES_MS, pauseMs));
    }
  } finally {
    await resumeWork.run(database(), { organization });
  }
  throw new MoveError('It was written all the time: try again when there is less to do. It stays where it is.');
}

/**
 * Deletes what an earlier try has copied, unless all that was written since is noted: not for more than an hour after it ended, nor in a
 * restored backup, which has no triggers.
 */
async function forgetUnnoted(all: Belongings): Promise<void> {
  const { organizationId: organization, source } = all;
  const { guarded } = await countGuards.one(database(), { trigger: lastGuardOf(organization), source });
  if ((await renewNotes.run(database(), { organization })) > 0 && guarded === GUARDED_TABLES.length) return;
  await emptyCell(all, all.target);
  await deleteNotes(all);
  await beginNotes.run(database(), { organization });
}

/** Waits for what removes rows of the target and began before the move. Whatever begins later removes none. */
async function awaitRemovals(cell: string): Promise<void> {
  await inSqlTransaction((tx) => waitForTargetLocks.run(tx, { cell }), { statementMs: LONG_STATEMENT_MS });
}

/** Notes from now on what is written in the cell that the organization leaves. */
async function guard(all: Belongings): Promise<void> {
  const { organizationId: organization, projects, source } = all;
  await forEachTable((tx, table) => guardTable(tx, source, table, { organization, projects }));
}

type TableChange = (tx: Sql, table: string) => Promise<void>;

async function forEachTable(change: TableChange): Promise<void> {
  for (const table of GUARDED_TABLES) await changeTable(table, change);
}

/** Changes the triggers of a table. Others write it meanwhile. */
function changeTable(table: string, change: TableChange): Promise<void> {
  const changeOnce = async (tx: Sql) => {
    await limitLockWaits.run(tx);
    await change(tx, table);
  };
  return withLockRetries(table, {}, () => inSqlTransaction(changeOnce));
}

/** Copies all rows of projects. */
async function copyAll(
  all: Belongings,
  projects: readonly string[],
  onProgress: (line: string) => void,
): Promise<void> {
  // Old rows go into partitions of their days.
  const days = new Map<string, Period[]>();
  await inCell(all.source, async () => {
    for (const branch of BRANCHES) days.set(branch.name, await listDays(branch));
  });
  await inCell(all.target, () => createPartitions((branch) => days.get(branch.name) ?? []));
  await copyRows({ ...all, projects }, (table) => onProgress(`Copying ${table}`));
}

/** Copies what was written meanwhile, until little is left. @throws MoveError when that takes too long */
async function catchUp(all: Belongings): Promise<void> {
  const endsAt = performance.now() + CATCH_UP_MS;
  while ((await inTarget(all, (tx) => copyChanges(tx, all))) >= MANY_CHANGES) {
    if (performance.now() > endsAt) {
      throw new MoveError(
        'It is written faster than it is copied: try again when there is less to do, or take it back.',
      );
    }
  }
}

/**
 * Moves the organization in one transaction, while nobody writes its rows.
 * @returns false when that was not possible for now
 */
async function trySwitch(all: Belongings): Promise<boolean> {
  const { organizationId: organization, source, target } = all;
  try {
    await inCell(target, () =>
      inSqlTransaction(
        async (tx) => {
          await limitWaits.run(tx);
          await setSearchPath(tx, searchPathOf(source));
          if ((await rollUpBatch(tx)) === null) throw new NotNow();
          await lockMove.run(tx, { organization });
          const lockedAt = performance.now();
          const inTime = (limitMs: number) => performance.now() - lockedAt < limitMs;
          const refuseLate = () => {
            if (!inTime(SWITCH_MS)) throw new NotNow();
          };
          while (await rollUpBatch(tx)) refuseLate();
          await refuseChanged(tx, all);
          await setSearchPath(tx, searchPathOf(target));
          await beginMoving(tx, organization);
          while ((await copyChanges(tx, all)) > 0) refuseLate();
          await copyRest(tx, all);
          refuseLate();
          while ((await moveWork(tx, all, 'FOR UPDATE SKIP LOCKED')) && inTime(MOVE_WORK_MS));
          if ((await noteMoved.run(tx, { organization })) === 0) throw new NotNow();
          await switchCell.run(tx, { organization, target });
          await announceMove.run(tx);
          const entry = { organizationId: null, targetId: organization, details: { from: source, to: target } };
          await recordAudit(tx, { type: 'system' }, 'organization.moved', entry);
          refuseLate();
        },
        { statementMs: SWITCH_STATEMENT_MS },
      ),
    );
    return true;
  } catch (error) {
    if (error instanceof NotNow || isStatementCanceled(error)) return false;
    throw error;
  }
}

/** Moves work that the last step has left. @returns whether there may be more */
async function moveRest(all: Belongings): Promise<boolean> {
  try {
    return await inTarget(all, (tx) => moveWork(tx, { ...all, hasMoved: true }, 'FOR UPDATE'));
  } catch (error) {
    if (!isStatementCanceled(error)) throw error;
    await sleep(PAUSE_BETWEEN_TRIES_MS);
    return true;
  }
}

/** The last step has to be tried again. */
class NotNow extends Error {}

/** Locks the organization. @throws NotNow when it was deleted or has another project */
async function refuseChanged(tx: Sql, { organizationId: organization, projects }: Belongings): Promise<void> {
  const lock = await lockOrganization.take(tx, organization);
  const locked = await lock.first(tx, { organization });
  if (locked === undefined || locked.deleted_at !== null) throw new NotNow();
  const now = await selectProjectsOf.one(tx, { organization });
  if (now.projects?.some((id) => !projects.includes(id))) throw new NotNow();
}

/** Ends a move before its last step: deletes what was copied. */
async function takeBack(all: Belongings, onProgress: (line: string) => void): Promise<void> {
  onProgress(`Taking back what was copied to ${all.target}`);
  await endGuard(all);
  await emptyCell(all, all.target);
  await endMove(all);
}

async function endGuard({ organizationId, source }: Belongings): Promise<void> {
  await forEachTable((tx, table) => unguardTable(tx, source, table, organizationId));
}

/** Ends what is left of moves of organizations that were deleted meanwhile. */
async function endForgotten(): Promise<void> {
  for (const { source, table_name, organization } of await listForgottenGuards.all(database())) {
    await changeTable(table_name ?? '', (tx, table) => unguardTable(tx, source ?? '', table, organization ?? ''));
  }
  await inEachCell(async () => {
    while ((await deleteForgottenChanges.run(database())) > 0);
  });
}

async function deleteNotes({ organizationId: organization, source }: Belongings): Promise<void> {
  await inCell(source, async () => {
    while ((await deleteAllChanges.run(database(), { organization })) > 0);
  });
}

const analyze = (cell: string) =>
  inCell(cell, () => inSqlTransaction((tx) => analyzeWork.run(tx), { statementMs: LONG_STATEMENT_MS }));

async function endMove(all: Belongings): Promise<void> {
  await endGuard(all);
  await deleteNotes(all);
  await deleteMove.run(database(), { organization: all.organizationId });
}

/** Deletes what the organization has in a cell that it is not in, or not yet. */
async function emptyCell({ organizationId, projects, tables }: Belongings, cell: string): Promise<void> {
  const ofCell = PROJECT_TABLES.filter((name) => tables.has(name));
  for (const project of projects) {
    while ((await inCell(cell, () => emptyOtherCell(project, organizationId, ofCell))) !== 'gone') {
      await sleep(PAUSE_BETWEEN_TRIES_MS);
    }
  }
}
