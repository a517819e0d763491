/** The columns of a batch that counts attempts `a` of deliveries `d`, but for its time. */
export const ATTEMPTS_AS_BATCH = `array_agg(a.project_id), array_agg(coalesce(d.endpoint_id, d.destination_id)),
            array_agg(CASE WHEN a.succeeded THEN 'SUCCEEDED'
                           WHEN a.error LIKE 'No % within %' THEN 'TIMED_OUT'
                           WHEN a.response_status BETWEEN 300 AND 399 THEN 'REDIRECT'
                           WHEN a.response_status BETWEEN 400 AND 499 THEN 'CLIENT_ERROR'
                           WHEN a.response_status >= 500 THEN 'SERVER_ERROR'
                           ELSE 'NO_RESPONSE' END::"StatKind"),
            array_agg(d.status = 'FAILED' AND d.attempt_count = a.attempt_number), array_agg(a.duration_ms),
            array_agg(CASE WHEN a.succeeded AND d.event_id IS NOT NULL AND d.attempt_count = d.schedule_step THEN
              least(2147483647, greatest(0, extract(epoch FROM a.started_at) * 1000 + a.duration_ms -
                ('x' || translate(left(d.id::text, 13), '-', ''))::bit(48)::bigint))::int END)`;

/** Locks project $1, and returns whether its history was written already. $2 the highest id of an event of yesterday. */
export const LOCK_FOR_HISTORY = `
  SELECT EXISTS (SELECT FROM events e WHERE e.project_id = p.id AND e.id < $2::uuid) AS written
  FROM projects p WHERE p.id = $1 FOR UPDATE`;

/** Statistics keep minutes for two days, and hours before that. */
const slotOf = (time: string) =>
  `date_trunc(CASE WHEN ${time} > now() - interval '50 hours' THEN 'minute' ELSE 'hour' END, ${time})`;

/** Queues attempts of project $1 for the statistics, also those that are not stored. $2 the attempts as JSON. */
export const QUEUE_ATTEMPT_STATS = `
  INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
  SELECT ${ATTEMPTS_AS_BATCH}, ${slotOf('a.created_at')}
  FROM (SELECT *, $1::uuid AS project_id, error IS NULL AS succeeded,
               started_at + duration_ms * interval '1 millisecond' AS created_at
        FROM json_to_recordset($2) AS u(delivery_id uuid, attempt_number int, started_at timestamptz, duration_ms int,
                                        response_status int, error text)) a
  JOIN deliveries d ON d.id = a.delivery_id
  GROUP BY ${slotOf('a.created_at')}`;

/** Queues the events and incoming events of project $1 for the statistics. */
export const QUEUE_EVENT_STATS = `
  INSERT INTO stat_batches (project_ids, kinds, created_at)
  SELECT array_agg(project_id), array_agg(kind), slot FROM (
    SELECT project_id, 'EVENT'::"StatKind" AS kind, ${slotOf('created_at')} AS slot FROM events WHERE project_id = $1
    UNION ALL
    SELECT project_id, (CASE WHEN verified THEN 'INCOMING_VERIFIED' WHEN verified IS NULL THEN 'INCOMING_UNSIGNED'
                             ELSE 'INCOMING_REJECTED' END)::"StatKind", ${slotOf('created_at')}
    FROM incoming_events WHERE project_id = $1) AS e
  GROUP BY slot`;
