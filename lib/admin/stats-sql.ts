import { PENDING_BY_TIME } from '@/lib/delivery/pending';
import { bigint, integer, nullable, regclass, text, textOf, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';
import { storedOid, whereStored } from '@/lib/platform/sql/stored';

export const countAll = statement(
  `
  SELECT (SELECT count(*)::int FROM organizations WHERE deleted_at IS NULL) AS living,
         (SELECT count(*)::int FROM organizations WHERE deleted_at IS NOT NULL) AS being_removed,
         (SELECT count(*)::int FROM users WHERE erased_at IS NULL) AS users,
         (SELECT count(*)::int FROM projects p JOIN organizations o ON o.id = p.organization_id
          WHERE p.deleted_at IS NULL AND o.deleted_at IS NULL) AS projects`,
  {
    columns: {
      living: integer,
      being_removed: integer,
      users: integer,
      projects: integer,
    },
  },
);

/** Counts the endpoints of a cell. */
export const countEndpoints = statement(
  `SELECT count(*) FILTER (WHERE enabled)::int AS enabled,
          count(*) FILTER (WHERE NOT enabled AND disabled_reason IS NULL)::int AS paused,
          count(*) FILTER (WHERE NOT enabled AND disabled_reason IS NOT NULL)::int AS disabled
   FROM endpoints WHERE deleted_at IS NULL`,
  { columns: { enabled: integer, paused: integer, disabled: integer } },
);

/** Selects by id, which begins with the creation time: the primary key is the only index over all projects. */
export const countLastDay = statement(
  `
  SELECT (SELECT count(*)::int FROM events WHERE id >= $lowestId) AS events,
         (SELECT count(*)::int FROM incoming_events WHERE id >= $lowestId) AS incoming_events,
         d.queued, d.retrying, d.succeeded, d.failed
  FROM (SELECT count(*) FILTER (WHERE status = 'PENDING' AND attempt_count = 0)::int AS queued,
               count(*) FILTER (WHERE status = 'PENDING' AND attempt_count > 0)::int AS retrying,
               count(*) FILTER (WHERE status = 'SUCCEEDED')::int AS succeeded,
               count(*) FILTER (WHERE status = 'FAILED')::int AS failed
        FROM deliveries WHERE id >= $lowestId) d`,
  {
    params: { lowestId: uuid },
    columns: {
      events: integer,
      incoming_events: integer,
      queued: integer,
      retrying: integer,
      succeeded: integer,
      failed: integer,
    },
  },
);

/** Each count uses the partial index on pending rows. */
export const measureBacklogs = statement(
  `
  SELECT kind, pending, queued, oldest, dead, due FROM (
    SELECT 'outbox' AS kind, count(*)::int AS pending, 0 AS queued, min(created_at) AS oldest, 0 AS due,
           (SELECT count(*)::int FROM outbox WHERE status = 'DEAD') AS dead
    FROM outbox WHERE status = 'PENDING' AND kind <> 'MAIL'
    UNION ALL
    SELECT 'mail', count(*)::int, 0, min(created_at), 0,
           (SELECT count(*)::int FROM mails WHERE status = 'DEAD')
    FROM mails WHERE status = 'PENDING'
    UNION ALL
    SELECT 'deliveries', count(*)::int, count(*) FILTER (WHERE attempt_count = 0)::int,
           min(next_attempt_at) FILTER (WHERE next_attempt_at <= now()),
           count(*) FILTER (WHERE next_attempt_at <= now())::int, 0
    FROM deliveries WHERE ${PENDING_BY_TIME}
  ) waiting`,
  {
    columns: {
      kind: textOf<'outbox' | 'mail' | 'deliveries'>(),
      pending: integer,
      queued: integer,
      oldest: nullable(timestamp),
      dead: integer,
      due: integer,
    },
  },
);
export type BacklogRow = RowOf<typeof measureBacklogs.columns>;

/** Measures a table with its indexes, in bytes. */
export const measureTable = whereStored((isPlaced) =>
  statement(`SELECT pg_total_relation_size(${storedOid(isPlaced, '$table::regclass')}) AS bytes`, {
    params: { table: regclass },
    columns: { bytes: bigint },
  }),
);

/** Reads how many rows retention has removed, by table. */
export const selectRemovedRows = statement(
  `SELECT label, value FROM metric_counters WHERE name = 'retention_rows_removed_total'`,
  { columns: { label: text, value: bigint } },
);

/** Counts exactly: dead rows are few, and the statistics of the table include pending rows. */
export const countDeadOutbox = statement(`SELECT count(*)::int AS rows FROM outbox WHERE status = 'DEAD'`, {
  columns: { rows: integer },
});
