import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { nameOfDay } from '@/lib/retention/partitions/partitions';
import { policyOf } from '@/lib/retention/retention-policy';
import { useDatabase } from '@/tests/database/use-database';
import { branchOf, dropAllPartitions } from '@/tests/retention/partitions';
import { RETENTION_JOBS } from './job-run';
import { stepsOf } from './jobs';
import { previewJob } from './preview-job';
import { runJob } from './run-job';

useDatabase();

const namesOf = (job: (typeof RETENTION_JOBS)[number], maintainsPartitions: boolean) =>
  stepsOf(job, { ...policyOf(config()), maintainsPartitions }).map(({ name }) => name);

describe('the creation of partitions', () => {
  it.each(RETENTION_JOBS)('is the first step of %s', (job) => {
    expect(namesOf(job, true)[0]).toBe('make partitions');
  });

  it.each(RETENTION_JOBS)('is not a step of %s where PARTITION_MAINTENANCE_ENABLED is false', (job) => {
    expect(namesOf(job, false)).not.toContain('make partitions');
  });
});

describe('the metrics job', () => {
  beforeEach(dropAllPartitions);

  it('creates and counts the partitions of the days ahead, and records the rows of each table', async () => {
    const { partitionsToCreate } = await previewJob('metrics');
    expect(await runJob('metrics')).toMatchObject({
      status: 'done',
      partitionsCreated: partitionsToCreate.length,
      tableRows: { events: 0 },
    });
    expect(partitionsToCreate.length).toBeGreaterThan(20);
    expect((await previewJob('metrics')).partitionsToCreate).toEqual([]);
  });

  it('records the rows of each table although a partition cannot be created, and says why', async () => {
    const name = nameOfDay(branchOf('failed'), addMs(new Date(), 2 * DAY_MS));
    await database().query(`CREATE TABLE partitions.${name} (something_else int)`);
    const summary = await runJob('metrics');
    await database().query(`DROP TABLE partitions.${name}`);
    expect(summary).toMatchObject({ status: 'failed', error: expect.stringContaining(name), tableRows: { events: 0 } });
  });
});
