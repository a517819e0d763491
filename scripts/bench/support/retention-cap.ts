import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { startTestRun } from '@/tests/retention/test-run';
import { measure } from './cost';

const [DELIVERIES, EXCESS_EACH] = [200, 5];

/** Times the cap. Each round has the same excess: 1,000 attempts of 200 deliveries, spread over the table. @returns milliseconds */
export async function measureCap(rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await addExcess();
    const run = await startTestRun({ job: 'cap' });
    times.push((await measure(() => capAttempts.clean(run))).busyMs);
    await checkNothingIsOver();
  }
  return times;
}

/** Times a run of the cap without any excess. @returns milliseconds */
export async function measureIdleCap(rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const run = await startTestRun({ job: 'cap' });
    times.push((await measure(() => capAttempts.clean(run))).busyMs);
  }
  return times;
}

/** Times the removal of the same excess by numbering all attempts. @returns milliseconds */
export async function measureWindowDelete(rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await addExcess();
    times.push((await measure(() => sqlWithTimeout(LONG_STATEMENT_MS).query(WINDOW_SQL))).busyMs);
    await sqlWithTimeout(LONG_STATEMENT_MS).query(
      'UPDATE deliveries SET stored_attempts = 10 WHERE stored_attempts > 10',
    );
    await checkNothingIsOver();
  }
  return times;
}

const WINDOW_SQL = `
  DELETE FROM delivery_attempts a USING (
    SELECT delivery_id, attempt_number, succeeded, created_at,
           row_number() OVER (PARTITION BY delivery_id ORDER BY attempt_number DESC, created_at DESC) AS age
    FROM delivery_attempts
  ) n
  WHERE n.age > 10 AND a.delivery_id = n.delivery_id AND a.attempt_number = n.attempt_number
    AND a.succeeded = n.succeeded AND a.created_at = n.created_at`;

/** Adds attempts to deliveries that have ten, as manual retries do. */
async function addExcess(): Promise<void> {
  const { rowCount } = await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
     SELECT gen_random_uuid(), project_id, id, 10 + n, now(), 20, false FROM (
       SELECT id, project_id FROM deliveries WHERE stored_attempts = 10 ORDER BY random() LIMIT ${DELIVERIES}
     ) d, generate_series(1, ${EXCESS_EACH}) n`,
  );
  if (rowCount !== DELIVERIES * EXCESS_EACH) throw new Error(`only ${rowCount} attempts were added`);
}

async function checkNothingIsOver(): Promise<void> {
  const { rows } = await database().query<{ over: number }>(
    'SELECT count(*)::int AS over FROM deliveries WHERE stored_attempts > 10',
  );
  if (rows[0]?.over !== 0) throw new Error(`${rows[0]?.over} deliveries are still over the cap`);
}
