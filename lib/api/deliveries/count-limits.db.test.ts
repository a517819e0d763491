import { beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryCount } from '@/lib/delivery/schema';
import { inSqlTransaction } from '@/lib/platform/db';
import { countLockWaits } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeProject } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();
const { makeEndpoint } = useEndpoints();
const { makeSource, makeDestination } = sourceTools(() => project);

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
  const { id: endpointId } = await makeEndpoint(project);
  await insertEndedDeliveries({ projectId: project.id, endpointId, count: 3 });
});

type Answer = DeliveryCount & Problem;
const count = ({ id, readOnlyKey }: Pick<TestProject, 'id' | 'readOnlyKey'>) =>
  call<Answer>('GET', `/api/v1/projects/${id}/delivery-count`, { apiKey: readOnlyKey });
const start = (body: object = {}, tail = 'bulk-retries') =>
  call<Answer>('POST', `/api/v1/projects/${project.id}/${tail}`, { apiKey: project.key, body });
const times = <Result>(length: number, work: () => Result) => Array.from({ length }, work);
const statusesOf = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort();

/** Makes each count wait, as in a project with many rows, until `work` is done. */
async function whileCountsWait<Result>(work: () => Promise<Result>): Promise<Result> {
  return inSqlTransaction(async (tx) => {
    await tx.query('LOCK TABLE deliveries, incoming_events IN ACCESS EXCLUSIVE MODE');
    return work();
  });
}

/** Waits until all of them but `running` are answered. @returns the statuses so far */
async function settleBut(running: number, answers: Promise<{ status: number }>[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const answer of answers) void answer.then(({ status }) => statuses.push(status));
  await expect.poll(() => statuses.length).toBe(answers.length - running);
  return [...statuses];
}

describe('counts of deliveries', () => {
  it('run once per project: of 25 at once one is answered, the others get 429, and another tenant is served', async () => {
    const other = await makeTestProject();
    const { counts, foreign } = await whileCountsWait(async () => {
      const counts = times(25, () => count(project));
      expect(await settleBut(1, counts)).toEqual(times(24, () => 429));
      expect((await call('GET', `/api/v1/projects/${other.id}/subscriptions`, { apiKey: other.key })).status).toBe(200);
      return { counts, foreign: count(other) };
    });
    expect(await statusesOf(counts)).toEqual([200, ...times(24, () => 429)]);
    expect((await foreign).json).toEqual({ count: 0, isExact: true });
    const refused = (await Promise.all(counts)).find(({ status }) => status === 429);
    expect(refused?.headers['retry-after']).toBe('1');
    expect(refused?.json).toMatchObject({
      code: 'rate_limited',
      detail: 'This project already has a count in progress. Try again in a few seconds.',
    });
    expect((await count(project)).json).toEqual({ count: 3, isExact: true });
  });
});

describe('bulk retries and replays', () => {
  it('count one at a time for a project, and are not refused because a number is looked at', async () => {
    const { counts, starts } = await whileCountsWait(async () => {
      const counts = [count(project)];
      const starts = times(5, () => start());
      expect(await settleBut(1, starts)).toEqual([429, 429, 429, 429]);
      return { counts, starts };
    });
    expect([await statusesOf(counts), await statusesOf(starts)]).toEqual([[200], [202, 429, 429, 429, 429]]);
    expect((await start()).status).toBe(202);
  });

  it('start at once when each count takes only a moment: one waits for the other', async () => {
    expect(await statusesOf(times(3, () => start()))).toEqual([202, 202, 202]);
  });

  it('keep no place of a count while they wait for a lock', async () => {
    const starts = await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project.id]);
      const starts = times(2, () => start());
      await expect.poll(countLockWaits).toBe(2);
      return starts;
    });
    expect(await statusesOf(starts)).toEqual([202, 202]);
  });

  it('start 60 times a minute for an owner, whichever project they are of; another owner still starts one', async () => {
    const sibling = await makeProject(project.owner);
    const { key: siblingKey } = await makeKey(sibling.id, project.owner, { name: 'writer', scope: 'READ_WRITE' });
    const other = await makeTestProject();
    const startIn = (id: string, apiKey: string) =>
      call<Answer>('POST', `/api/v1/projects/${id}/bulk-retries`, { apiKey, body: { status: 'SUCCEEDED' } });
    for (const _ of times(30, () => 0)) {
      expect((await startIn(project.id, project.key)).status).toBe(202);
      expect((await startIn(sibling.id, siblingKey)).status).toBe(202);
    }
    const refused = [];
    for (const _ of times(10, () => 0)) refused.push(await startIn(sibling.id, siblingKey));
    expect(refused.at(-1)).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect((await startIn(other.id, other.key)).status).toBe(202);
  });

  it('of incoming events count one at a time as well', async () => {
    const source = await makeSource();
    await makeDestination(source, { url: 'https://receiver.example.com/' });
    const replay = () => start({ sourceId: source.id }, 'incoming-event-replays');
    const replays = await whileCountsWait(async () => {
      const replays = times(5, replay);
      expect(await settleBut(1, replays)).toEqual([429, 429, 429, 429]);
      return replays;
    });
    expect(await statusesOf(replays)).toEqual([202, 429, 429, 429, 429]);
    expect((await replay()).status).toBe(202);
  });
});
