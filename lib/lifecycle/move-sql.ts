import { sayCounted } from '@/lib/delivery/engine/record/record-sql';
import { cellChannelSql, MOVES_CHANNEL } from '@/lib/platform/cells/cell-channel';
import { MOVE_TRIGGER } from '@/lib/platform/cells/cells-sql';
import type { Sql } from '@/lib/platform/db';
import { boolean, float, integer, nullable, text, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { lockingCopied } from '@/lib/platform/sql/copied-rows-sql';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { NOTED_TABLES } from './copy-rows-sql';

const triggerOf = (organization: string, event: 'insert' | 'change') =>
  `${MOVE_TRIGGER}${organization.replaceAll('-', '')}_${event}`;

/** Guards a table of the source. Waits for those who write it, and keeps others waiting meanwhile: the lock timeout must be short. */
export async function guardTable(
  tx: Sql,
  source: string,
  table: string,
  { organization, projects }: { organization: string; projects: readonly string[] },
): Promise<void> {
  const isNoted = NOTED_TABLES.some((name) => name === table) ? 'noted' : 'moved';
  const guard = `EXECUTE FUNCTION public.guard_cell_move('${organization}', '${table}', '${isNoted}')`;
  const isOf = (row: string) => `FOR EACH ROW WHEN (${row}.project_id = ANY ('{${projects.join()}}'::uuid[])) ${guard}`;
  await tx.query(
    `CREATE OR REPLACE TRIGGER ${triggerOf(organization, 'insert')} BEFORE INSERT ON ${source}.${table} ${isOf('NEW')}`,
  );
  await tx.query(
    `CREATE OR REPLACE TRIGGER ${triggerOf(organization, 'change')} BEFORE UPDATE OR DELETE ON ${source}.${table} ${isOf('OLD')}`,
  );
}

/** Ends the guard of a table. */
export async function unguardTable(tx: Sql, source: string, table: string, organization: string): Promise<void> {
  await tx.query(`DROP TRIGGER IF EXISTS ${triggerOf(organization, 'insert')} ON ${source}.${table}`);
  await tx.query(`DROP TRIGGER IF EXISTS ${triggerOf(organization, 'change')} ON ${source}.${table}`);
}

/** Lists the guards of organizations that were deleted while they moved: their ids without hyphens. */
export const listForgottenGuards = statement(
  `SELECT n.nspname::text AS source, c.relname::text AS table_name, substr(t.tgname, length('${MOVE_TRIGGER}') + 1, 32) AS organization
   FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE starts_with(t.tgname, '${MOVE_TRIGGER}') AND NOT c.relispartition AND NOT EXISTS (
     SELECT FROM public.cell_moves m WHERE replace(m.organization_id::text, '-', '') = substr(t.tgname, length('${MOVE_TRIGGER}') + 1, 32))`,
  { columns: { source: nullable(text), table_name: nullable(text), organization: nullable(text) } },
);

/** Deletes the changes of such organizations that are noted in the current cell: a batch. */
export const deleteForgottenChanges = statement(
  `DELETE FROM cell_move_changes WHERE id = ANY(ARRAY(
     SELECT id FROM cell_move_changes c
     WHERE NOT EXISTS (SELECT FROM public.cell_moves m WHERE m.organization_id = c.organization_id) LIMIT 10000))`,
);

/** Counts the guarded tables of the source. */
export const countGuards = statement(
  `SELECT count(*)::int AS guarded FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE t.tgname::text = $trigger AND c.relnamespace = $source::text::regnamespace AND NOT c.relispartition`,
  { params: { trigger: text, source: text }, columns: { guarded: integer } },
);

/** The trigger that `guardTable` makes last. */
export const lastGuardOf = (organization: string) => triggerOf(organization, 'change');

/**
 * Lets this transaction write the rows of an organization that moves. The attempts that it copies are counted already. By SET, which reaches
 * the machine of a cell, and not by set_config, which does not.
 * @param organization an id from the database
 */
export async function beginMoving(tx: Sql, organization: string): Promise<void> {
  await tx.query(`SET LOCAL event_delivery.moving = '${organization}'`);
  await sayCounted.run(tx);
}

export const limitWaits = statement(`SET LOCAL lock_timeout = '1s'`);

/**
 * Waits until nobody writes rows of the organization, and keeps all others from it until the end of the transaction. With the search path
 * of the source: a statement about a table of it goes to the machine that has it.
 */
export const lockMove = statement(
  `SELECT pg_advisory_xact_lock(hashtextextended('move ' || $organization, 0))::text
   FROM (SELECT count(*) FROM (SELECT FROM alerts LIMIT 1) a) one`,
  { params: { organization: text } },
);

/** Locks an organization, so that it gets no new project. */
export const lockOrganization = lockingCopied('FOR UPDATE', (lock) =>
  statement(`SELECT cell, deleted_at FROM organizations WHERE id = $organization ${lock}`, {
    params: { organization: uuid },
    columns: { cell: text, deleted_at: nullable(timestamp) },
  }),
);

/** Finds an organization that is not deleted. */
export const findLiving = statement(
  'SELECT name, cell FROM organizations WHERE id = $organization AND deleted_at IS NULL',
  { params: { organization: uuid }, columns: { name: text, cell: text } },
);

const MOVE = {
  organization_id: uuid,
  source: text,
  target: text,
  moved_at: nullable(timestamp),
};
export type MoveRow = RowOf<typeof MOVE>;
const MOVE_SQL = 'SELECT organization_id, source, target, moved_at FROM public.cell_moves';

export const findMove = statement(`${MOVE_SQL} WHERE organization_id = $organization`, {
  params: { organization: uuid },
  columns: MOVE,
});

/** Finds the move of the organization of a project. */
export const findMoveOfProject = statement(
  `${MOVE_SQL} WHERE organization_id = (SELECT organization_id FROM projects WHERE id = $project)`,
  { params: { project: uuid }, columns: MOVE },
);

/** Lists the moves that have not ended. */
export const listMoves = statement(`${MOVE_SQL} ORDER BY created_at LIMIT 1000`, { columns: MOVE });

export const insertMove = statement(
  'INSERT INTO public.cell_moves (organization_id, source, target) VALUES ($organization, $source, $target) ON CONFLICT DO NOTHING',
  { params: { organization: uuid, source: text, target: text } },
);

/** Finds whether the work of an organization is paused. Only who moves it pauses it. */
export const findPause = statement(
  'SELECT coalesce(paused_until > now(), false) AS is_paused FROM public.cell_moves WHERE organization_id = $organization',
  { params: { organization: uuid }, columns: { is_paused: nullable(boolean) } },
);

/** Pauses the work of an organization for a minute from now on. */
export const pauseWork = statement(
  `UPDATE public.cell_moves SET paused_until = now() + interval '1 minute' WHERE organization_id = $organization`,
  { params: { organization: uuid } },
);

const NOTES_LAST = `seen_at > now() - interval '1 hour'`;

/** Lets changes be noted for another hour. Changes nothing when they are not noted any more. */
export const renewNotes = statement(
  `UPDATE public.cell_moves SET seen_at = now() WHERE organization_id = $organization AND ${NOTES_LAST}`,
  { params: { organization: uuid } },
);

/** Lets changes be noted from now on. */
export const beginNotes = statement(
  'UPDATE public.cell_moves SET seen_at = now() WHERE organization_id = $organization',
  { params: { organization: uuid } },
);

/** Ends the pause. */
export const resumeWork = statement(
  'UPDATE public.cell_moves SET paused_until = NULL WHERE organization_id = $organization',
  { params: { organization: uuid } },
);

/** Notes that an organization has moved, if its work is paused and its changes are noted. */
export const noteMoved = statement(
  `UPDATE public.cell_moves SET moved_at = now()
   WHERE organization_id = $organization AND moved_at IS NULL AND paused_until > now() AND ${NOTES_LAST}`,
  { params: { organization: uuid } },
);

/** Finds how long ago an organization has moved, by the clock that noted it. */
export const findMovedMs = statement(
  `SELECT coalesce(extract(epoch FROM now() - moved_at) * 1000, 0)::float8 AS ms FROM public.cell_moves
   WHERE organization_id = $organization`,
  { params: { organization: uuid }, columns: { ms: float } },
);

/** Makes an organization work in its new cell. */
export const switchCell = statement('UPDATE organizations SET cell = $target WHERE id = $organization', {
  params: { target: text, organization: uuid },
});

/** Makes web processes forget where organizations are. */
export const announceMove = statement(`SELECT pg_notify('${MOVES_CHANNEL}', '')`);

export const deleteMove = statement('DELETE FROM public.cell_moves WHERE organization_id = $organization', {
  params: { organization: uuid },
});

export const selectProjectsOf = statement(
  'SELECT array_agg(id ORDER BY id) AS projects FROM projects WHERE organization_id = $organization',
  { params: { organization: uuid }, columns: { projects: nullable(uuids) } },
);

/** Takes the lock of whoever moves an organization, for a session. */
export const tryMoverLock = statement(
  `SELECT pg_try_advisory_lock(hashtextextended('mover ' || $organization, 0)) AS taken`,
  {
    params: { organization: text },
    columns: { taken: boolean },
  },
);

/** Releases that lock. */
export const releaseMoverLock = statement(`SELECT pg_advisory_unlock(hashtextextended('mover ' || $organization, 0))`, {
  params: { organization: text },
});

/** Refreshes the planner's statistics. After a move, a plan that was made before may scan the dead rows that it left. */
export const analyzeWork = statement('ANALYZE outbox, deliveries, events');

/** Wakes the workers of the current cell. */
export const wakeWorkers = statement(
  `SELECT pg_notify(${cellChannelSql('eds_outbox')}, ''), pg_notify(${cellChannelSql('eds_delivery')}, '')`,
);
