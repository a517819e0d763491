import { IN_OUTBOX, PENDING_BY_TIME, turnsOf } from '@/lib/delivery/pending';
import { TURN_ID } from '@/lib/events/turn-key';
import { boolean, float, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { type RowOf, statement } from '@/lib/platform/sql/statement';

/** Six heartbeats. A worker that misses them has died, hangs, or cannot reach the database. */
export const ALIVE_SECONDS = 30;

/** The row of a dead process remains for a day, so processes that crash in a loop leave many. */
const MAX_LISTED = 100;

/**
 * Writes the row of a worker: its attempts in flight, its leased deliveries that wait, and the milliseconds since its last successful
 * poll. All times are from the database's clock.
 *
 * Also deletes rows of dead workers after a day: at most 100 at once, and skips those that another worker is deleting.
 */
export const writeHeartbeat = statement(
  `
  WITH gone AS (
    DELETE FROM workers WHERE id IN (
      SELECT id FROM workers WHERE last_seen_at < now() - interval '1 day' AND id <> $worker LIMIT 100 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO workers (id, hostname, pid, version, under_way, waiting, last_pass_at)
  VALUES ($worker, $hostname, $pid, $version, $underWay, $waiting, now() - make_interval(secs => $lastPassMs::float8 / 1000))
  ON CONFLICT (id) DO UPDATE SET last_seen_at = now(), under_way = excluded.under_way, waiting = excluded.waiting,
    last_pass_at = excluded.last_pass_at`,
  {
    params: {
      worker: uuid,
      hostname: text,
      pid: integer,
      version: text,
      underWay: integer,
      waiting: integer,
      lastPassMs: nullable(float),
    },
    name: 'worker-heartbeat',
  },
);

export const deleteWorker = statement('DELETE FROM workers WHERE id = $worker', { params: { worker: uuid } });

/** Selects the last known state of workers: the live ones first, then those seen last. */
export const selectWorkers = statement(
  `
  SELECT id, hostname, pid, version, started_at AS "startedAt", last_seen_at AS "lastSeenAt", last_pass_at AS "lastPassAt",
         last_seen_at > now() - interval '${ALIVE_SECONDS} s' AS alive, under_way AS "underWay", waiting
  FROM workers ORDER BY alive DESC, last_seen_at DESC, id LIMIT ${MAX_LISTED}`,
  {
    columns: {
      id: uuid,
      hostname: text,
      pid: integer,
      version: text,
      startedAt: timestamp,
      lastSeenAt: timestamp,
      /** When its last successful poll was; null before the first one. */
      lastPassAt: nullable(timestamp),
      /** Seen within ALIVE_SECONDS. */
      alive: boolean,
      /** Attempts in flight. */
      underWay: integer,
      /** Leased deliveries that wait for a slot. */
      waiting: integer,
    },
  },
);

/** Counts the live workers and reads when any worker was last seen. Returns one row. */
export const measureLiveness = statement(
  `
  SELECT count(*) FILTER (WHERE last_seen_at > now() - interval '${ALIVE_SECONDS} s')::int AS alive,
         extract(epoch FROM max(last_seen_at))::float8 AS "lastSeenSeconds"
  FROM workers`,
  {
    columns: {
      alive: integer,
      /** When any worker was last seen, in seconds since 1970; null if the table is empty. */
      lastSeenSeconds: nullable(float),
    },
    name: 'worker-liveness',
  },
);
export type WorkerLiveness = RowOf<typeof measureLiveness.columns>;

/** Rows that are counted at most: a backlog of millions costs no more. */
export const MAX_COUNTED = 10_000;
/** Projects whose outbox is looked at, at most. */
const MAX_PROJECTS = 1_000;

/** Turns of a project whose outbox rows are looked at, at most. */
const MAX_TURNS = 100;
const ageOf = (time: string) => `extract(epoch FROM now() - ${time})::float8`;

/**
 * Measures what is due in a cell, from the first entries of the indexes that workers poll: it reads at most 20,000 index entries, and
 * of 1,000 projects with events in the outbox 100 turns each. Leased rows are not due. Returns one row; an age is null when nothing is due.
 */
export const measureQueue = statement(
  `
  WITH RECURSIVE project AS (
    (SELECT project_id FROM outbox WHERE ${IN_OUTBOX} ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT o.project_id FROM outbox o WHERE ${IN_OUTBOX} AND o.project_id > p.project_id ORDER BY o.project_id LIMIT 1)
    FROM project p WHERE p.project_id IS NOT NULL
  ), oldest AS (
    SELECT (SELECT min(available_at) FROM (${turnsOf('p.project_id', String(MAX_TURNS))}) t CROSS JOIN LATERAL (
              SELECT available_at FROM outbox WHERE ${IN_OUTBOX} AND project_id = p.project_id AND ${TURN_ID} = t.id
              ORDER BY available_at LIMIT 1) o) AS available_at
    FROM (SELECT project_id FROM project WHERE project_id IS NOT NULL LIMIT ${MAX_PROJECTS}) p
  )
  SELECT
    (SELECT count(*)::int FROM (
      SELECT FROM deliveries WHERE ${PENDING_BY_TIME} AND next_attempt_at <= now() ORDER BY next_attempt_at LIMIT ${MAX_COUNTED}) d
    ) AS "dueDeliveries",
    (SELECT ${ageOf('next_attempt_at')} FROM deliveries WHERE ${PENDING_BY_TIME} AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 1) AS "deliverySeconds",
    (SELECT count(*)::int FROM (
      SELECT FROM outbox WHERE ${IN_OUTBOX} ORDER BY project_id, ${TURN_ID}, available_at LIMIT ${MAX_COUNTED}) o) AS "outboxRows",
    (SELECT ${ageOf('min(available_at)')} FROM oldest WHERE available_at <= now()) AS "eventSeconds"`,
  {
    columns: {
      dueDeliveries: integer,
      deliverySeconds: nullable(float),
      /** Events and incoming events whose deliveries are not stored yet, including those that a worker has. */
      outboxRows: integer,
      eventSeconds: nullable(float),
    },
  },
);
export type QueueRow = RowOf<typeof measureQueue.columns>;

/** Measures the mails that wait, which are of all cells. Returns one row; an age is null when there is none. */
export const measureMails = statement(
  `
  SELECT
    (SELECT ${ageOf('available_at')} FROM mails WHERE status = 'PENDING' AND available_at <= now()
     ORDER BY available_at LIMIT 1) AS "dueSeconds",
    (SELECT ${ageOf('min(created_at)')} FROM (
      SELECT created_at FROM mails WHERE status = 'PENDING' ORDER BY available_at LIMIT ${MAX_COUNTED}) m
    ) AS "unsentSeconds"`,
  {
    columns: {
      dueSeconds: nullable(float),
      /** Since the oldest unsent mail was written. A failure reschedules a mail, which then is not due. */
      unsentSeconds: nullable(float),
    },
  },
);
