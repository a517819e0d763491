import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase } from '@/lib/platform/db';
import { RETENTION_JOBS } from '@/lib/retention/jobs/job-run';
import { previewJob, runJob } from '@/lib/retention/jobs/run-job';
import { makeEmptyDatabase } from '@/tests/database/empty-database';
import { setTestConfig } from '@/tests/setup/variables';
import { describeDatabaseFault } from './database';

const empty = makeEmptyDatabase();

const faultOf = (work: Promise<unknown>) => work.then(() => 'no fault', describeDatabaseFault);

describe('a database that was never migrated', () => {
  beforeAll(async () => {
    await empty.create();
    setTestConfig({ DATABASE_URL: empty.url });
  });
  afterAll(async () => {
    await closeDatabase();
    await empty.drop();
  });

  const MENDED = /^The database is not at the schema of this version, run "npm run migrate" first: [^\n]+$/;

  it.each(RETENTION_JOBS)('is reported by %s with the command that fixes it', async (job) => {
    expect(await faultOf(runJob(job))).toMatch(MENDED);
  });

  it.each(['main', 'cap', 'burst', 'partitions'] as const)('is reported by the preview of %s', async (job) => {
    expect(await faultOf(previewJob(job))).toMatch(MENDED);
  });
});

describe('the fault that an error describes', () => {
  const error = (code: string) => Object.assign(new Error('the\n reason'), { code });

  it.each(['ECONNREFUSED', '57P03', '28P01', '3D000', '42501'])('%s: the database cannot be reached', (code) => {
    expect(describeDatabaseFault(error(code))).toBe('The database is unreachable: the reason');
  });

  it.each(['40P01', '57014', '23505'])('%s is not a fault that prevents a start', (code) => {
    expect(describeDatabaseFault(error(code))).toBeNull();
  });
});
