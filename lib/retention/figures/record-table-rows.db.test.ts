import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CLEANED_TABLES } from '@/lib/retention/jobs/job-run';
import { useDatabase } from '@/tests/database/use-database';
import { readCounters, startTestRun } from '@/tests/retention/test-run';
import { recordTableRows } from './table-rows';

useDatabase();

describe('the metrics job', () => {
  it('records the rows of every table and default partition in its run, and removes nothing', async () => {
    const client = await database().connect();
    await client.query(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
       SELECT gen_random_uuid(), $1, $1, n, now(), 5, true, $2::timestamptz FROM generate_series(1, 200) n`,
      [newId(), addMs(new Date(), -900 * DAY_MS)],
    );
    await client.query('SELECT pg_stat_force_next_flush()');
    client.release();
    const run = await startTestRun({ job: 'metrics' });
    await recordTableRows.clean(run);
    const { rows } = await database().query<{ table_rows: Record<string, number> }>(
      'SELECT table_rows FROM retention_runs WHERE id = $1',
      [run.id],
    );
    const recorded = rows[0]?.table_rows ?? {};
    expect(Object.keys(recorded).sort()).toEqual([...CLEANED_TABLES, 'partitionDefaultRows'].sort());
    expect(recorded).toMatchObject({ delivery_attempts: 200, events: 0, partitionDefaultRows: 200 });
    expect(await readCounters()).toEqual({});
    expect(await recordTableRows.preview(run)).toEqual({});
  });
});
