import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { inSqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { DAYS_AHEAD } from '@/lib/retention/partitions/partitions';
import { say } from './figures';
import { seedProject } from './seed';

/** Days of traffic before today: a few more than failed attempts and events are kept. */
const DAYS = 108;
/** At full volume: 1 million events, 1.5 million deliveries, 5 million attempts. */
const EVENTS_PER_DAY = 6_420;
/** The oldest days, on which the ways of removal are compared, have five times as many: some 160,000 attempts each. */
const BUSY_DAYS = 12;
const BUSY_FACTOR = 5;
const CONNECTIONS = 2;

export interface RetentionData {
  projectId: string;
  endpointId: string;
  /** The first instant of the oldest day. */
  from: Date;
}

/** Creates a project with an endpoint, and the partitions of every day. */
export async function prepareRetentionData(): Promise<RetentionData> {
  const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const from = addMs(today, -DAYS * DAY_MS);
  for (let at = from; at <= today; at = addMs(at, (DAYS_AHEAD + 1) * DAY_MS)) await createPartitionsAhead(at);
  await createPartitionsAhead(today);
  const { projectId } = await seedProject();
  const endpointId = newId();
  await sqlWithTimeout(LONG_STATEMENT_MS).query('INSERT INTO endpoints (id, project_id, url) VALUES ($1, $2, $3)', [
    endpointId,
    projectId,
    'https://receiver.example/hook',
  ]);
  return { projectId, endpointId, from };
}

/** Adds a share (0 to 1) of the full volume to every day, each event with its deliveries and their attempts. */
export async function fillRetentionData(data: RetentionData, share: number): Promise<void> {
  const eventsOf = (day: number) => Math.round(EVENTS_PER_DAY * share * (day < BUSY_DAYS ? BUSY_FACTOR : 1));
  const events = Array.from({ length: DAYS }, (_, day) => eventsOf(day)).reduce((sum, count) => sum + count, 0);
  say(`creating ${events.toLocaleString('en-US')} events with their attempts`);
  let day = 0;
  const fillOn = async () => {
    while (day < DAYS) {
      const from = addMs(data.from, day * DAY_MS);
      const count = eventsOf(day);
      day += 1;
      await fillDay(data, from, count);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, fillOn));
  await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE events, deliveries, delivery_attempts');
}

/** Seconds after the creation of the delivery. */
const ATTEMPT_SECONDS = 'ARRAY[0, 5, 305, 2105, 9305, 27305, 63305, 113705, 185705, 272105]';

/*
 * Every other event has two deliveries. Of twenty deliveries, twelve succeed at the first attempt, five at the fifth, and
 * three fail after ten, over 75 hours: 3.35 attempts on average. uuidv7() with a shift needs PostgreSQL 18.
 */
const FILL_SQL = `
  WITH stored AS (
    INSERT INTO events (id, project_id, type, payload, created_at)
    SELECT uuidv7(at - clock_timestamp()), $1, 'order.paid', $5, at
    FROM (SELECT $3::timestamptz + n * (interval '1 day' / $4::int) AS at FROM generate_series(0, $4::int - 1) n) e
    RETURNING id, created_at
  ), planned AS MATERIALIZED (
    SELECT uuidv7(created_at - clock_timestamp()) AS id, event_id, created_at,
           CASE WHEN n % 20 < 12 THEN 1 WHEN n % 20 < 17 THEN 5 ELSE 10 END AS attempts, n % 20 < 17 AS succeeds
    FROM (SELECT e.id AS event_id, e.created_at, row_number() OVER (ORDER BY e.created_at, twice) AS n
          FROM (SELECT *, row_number() OVER (ORDER BY created_at) AS nth FROM stored) e,
               generate_series(1, 1 + (e.nth % 2)::int) twice) numbered
  ), delivered AS (
    INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, schedule_step, stored_attempts,
                            last_attempt_at, last_response_status, last_error, completed_at, created_at)
    SELECT id, $1, event_id, $2, CASE WHEN succeeds THEN 'SUCCEEDED' ELSE 'FAILED' END::"DeliveryStatus", attempts,
           attempts, attempts, ended_at, CASE WHEN succeeds THEN 200 ELSE 503 END,
           CASE WHEN NOT succeeds THEN 'Answered with status 503' END, ended_at, created_at
    FROM planned, LATERAL (SELECT created_at + make_interval(secs => (${ATTEMPT_SECONDS})[attempts]) AS ended_at) e
  )
  INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status,
                                 response_body, error, succeeded, created_at)
  SELECT uuidv7(at - clock_timestamp()), $1, p.id, a.number, at, 20 + a.number,
         CASE WHEN ok THEN 200 ELSE 503 END, $6, CASE WHEN NOT ok THEN 'Answered with status 503' END, ok, at
  FROM planned p
  JOIN LATERAL unnest(${ATTEMPT_SECONDS}) WITH ORDINALITY a(seconds, number)
    ON a.number <= p.attempts
  CROSS JOIN LATERAL (SELECT p.created_at + make_interval(secs => a.seconds) AS at,
                             p.succeeds AND a.number = p.attempts AS ok) t
  ORDER BY at`;

const PAYLOAD = JSON.stringify({
  orderId: 'ord_8f2c1',
  amount: 4200,
  currency: 'EUR',
  customer: { id: 'c19', tier: 'gold', email: 'somebody@example.com' },
  lines: Array.from({ length: 3 }, (_, index) => ({ sku: `sku-${index}-4711`, quantity: index + 1, price: 1400 })),
  note: 'left at the door',
});
const RESPONSE_BODY = JSON.stringify({ received: true, trace: 'x'.repeat(170) });

async function fillDay({ projectId, endpointId }: RetentionData, from: Date, events: number): Promise<void> {
  await inSqlTransaction(
    async (tx) => {
      // As in the worker: the counting trigger is for the inserts of others.
      await tx.query(`SET LOCAL event_delivery.attempts_counted = 'on'; SET LOCAL synchronous_commit = off`);
      await tx.query(FILL_SQL, [projectId, endpointId, from, events, PAYLOAD, RESPONSE_BODY]);
    },
    { statementMs: LONG_STATEMENT_MS },
  );
}

const PLAIN_EVENTS = 40_000;

/** Adds days of events without deliveries, from `firstDay` on: they show the cost of removing the event alone. */
export async function fillPlainEvents({ projectId }: RetentionData, firstDay: Date, days: number): Promise<void> {
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT uuidv7(at - clock_timestamp()), $1, 'order.paid', $5, at
     FROM (SELECT $2::timestamptz + n * (interval '1 day' / $3::int) AS at FROM generate_series(0, $3::int * $4::int - 1) n) e`,
    [projectId, firstDay, PLAIN_EVENTS, days, JSON.stringify({ note: 'x'.repeat(280) })],
  );
  await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE events');
}
