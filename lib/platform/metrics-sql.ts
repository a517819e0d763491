import { bigint, bigints, float, integer, text, texts, uuid } from './sql/column';
import { type RowOf, statement } from './sql/statement';

/** A process that has not renewed its row for this long has died, hangs, or cannot reach the database. */
const ALIVE_SECONDS = 30;

/**
 * Writes the row of a process. `poolMax` is the connections of each pool at most. Also deletes rows of dead processes after a day,
 * at most 100.
 */
export const writeFigures = statement(
  `
  WITH gone AS (
    DELETE FROM process_figures WHERE id IN (
      SELECT id FROM process_figures WHERE seen_at < now() - interval '1 day' AND id <> $id LIMIT 100 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO process_figures (id, part, pool_max, general_in_use, general_waiting, hot_in_use, hot_waiting, event_loop_delay_ms)
  VALUES ($id, $part, $poolMax, $generalInUse, $generalWaiting, $hotInUse, $hotWaiting, $eventLoopDelayMs)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), general_in_use = excluded.general_in_use,
    general_waiting = excluded.general_waiting, hot_in_use = excluded.hot_in_use, hot_waiting = excluded.hot_waiting,
    event_loop_delay_ms = excluded.event_loop_delay_ms`,
  {
    params: {
      id: uuid,
      part: text,
      poolMax: integer,
      generalInUse: integer,
      generalWaiting: integer,
      hotInUse: integer,
      hotWaiting: integer,
      eventLoopDelayMs: float,
    },
    name: 'write-process-figures',
  },
);

export const deleteFigures = statement('DELETE FROM process_figures WHERE id = $id', { params: { id: uuid } });

/** Selects one row for each part with live processes: how many, and the worst figure of any of them. */
export const readWorstFigures = statement(
  `SELECT part, count(*)::int AS processes, max(pool_max) AS "poolMax", max(general_in_use) AS "generalInUse",
          max(general_waiting) AS "generalWaiting", max(hot_in_use) AS "hotInUse", max(hot_waiting) AS "hotWaiting",
          max(event_loop_delay_ms) AS "eventLoopDelayMs"
   FROM process_figures WHERE seen_at > now() - interval '${ALIVE_SECONDS} s' GROUP BY part ORDER BY part`,
  {
    columns: {
      part: text,
      processes: integer,
      poolMax: integer,
      generalInUse: integer,
      generalWaiting: integer,
      hotInUse: integer,
      hotWaiting: integer,
      eventLoopDelayMs: float,
    },
  },
);

/** Adds values to counters. Pass them sorted, so that two processes never deadlock. */
export const addCounts = statement(
  `INSERT INTO metric_counters (name, label, value)
   SELECT * FROM unnest($names::text[], $labels::text[], $values::bigint[])
   ON CONFLICT (name, label) DO UPDATE SET value = metric_counters.value + excluded.value`,
  { params: { names: texts, labels: texts, values: bigints } },
);

/** Lists all counters. */
export const listCounts = statement('SELECT name, label, value FROM metric_counters ORDER BY name, label', {
  columns: { name: text, label: text, value: bigint },
});

export type CounterRow = RowOf<typeof listCounts.columns>;
