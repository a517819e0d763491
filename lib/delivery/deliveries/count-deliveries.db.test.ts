import { expect, it, onTestFinished, vi } from 'vitest';
import { replayedEventScan } from '@/lib/delivery/event-replays/replayed-events-sql';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { countToStart, whileShownIsCounted, whileStartIsCounted } from './count-deliveries';
import { deliveryScan } from './delivery-scan-sql';

useDatabase();

/** Counts of an organization, each of which ends when it is told to. A customer starts a job with it. */
async function countsOf() {
  const projectId = await insertProject();
  const [row] = await select<{ id: string }>('SELECT organization_id AS id FROM projects WHERE id = $1', projectId);
  const organizationId = row?.id ?? '';
  const ends: (() => void)[] = [];
  const count = () => new Promise<void>((end) => ends.push(end));
  const begin = (of = projectId) => whileShownIsCounted({ projectId: of, organizationId }, count);
  const start = (customerId: string) => whileStartIsCounted({ projectId, organizationId, customerId }, count);
  const addProject = async () => {
    const added = await insertProject();
    await select('UPDATE projects SET organization_id = $1 WHERE id = $2', organizationId, added);
    return added;
  };
  return { begin, start, ends, addProject };
}

it('a customer waits for the counts of two others, and learns of nobody when they do not end', async () => {
  const { start, ends } = await countsOf();
  const counts = [start(newId()), start(newId())];
  await expect.poll(() => ends.length).toBe(2);
  const refused = start(newId());
  await expect(refused).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.not.stringContaining('organization'),
  });
  const third = start(newId());
  ends.shift()?.();
  await expect.poll(() => ends.length).toBe(2);
  for (const end of ends) end();
  await Promise.all([...counts, third]);
});

it('a project is refused at once while its organization has two counts, and is told so', async () => {
  const { begin, ends, addProject } = await countsOf();
  const counts = [begin(), begin(await addProject())];
  await expect.poll(() => ends.length).toBe(2);
  await expect(begin(await addProject())).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Your organization already has 2 counts in progress. Try again in a few seconds.',
  });
  for (const end of ends) end();
  await Promise.all(counts);
});

it('the starts of all customers of an owner have a budget, beside that of the owner, and others have theirs', async () => {
  const [one, other] = [await startsOf(), await startsOf()];
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let count = 0; count < 6; count++) await one(() => vi.advanceTimersByTime(5_500), newId());
  await expect(one(() => undefined, newId())).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Too many replays are started/),
  });
  await one(() => undefined);
  await other(() => undefined, newId());
  vi.advanceTimersByTime(30_000);
  await one(() => undefined, newId());
});

it('a start whose count takes long counts as many, for its owner alone', async () => {
  const [one, other] = [await startsOf(), await startsOf()];
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await one(() => vi.advanceTimersByTime(6_100));
  await expect(one(() => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
  await other(() => undefined);
  vi.advanceTimersByTime(5_000);
  await one(() => undefined);
});

it('a count of what a job would work on ends after two seconds, and the job is not started', async () => {
  const { id, projectId } = await insertEndpoint({ url: 'http://receiver.test/' });
  const [eventId] = await insertEvents(projectId, 1);
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status)
     SELECT gen_random_uuid(), $1, $2, $3, 'FAILED' FROM generate_series(1, 3)`,
    [projectId, eventId, id],
  );
  const scan = { ...deliveryScan(projectId, {}), maxExamined: 1 };
  expect(await countToStart(scan, 'deliveries', 'Wait.')).toBe(3);
  const now = performance.now();
  let reads = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 1_000 * reads++);
  onTestFinished(() => clock.mockRestore());
  await expect(countToStart(scan, 'deliveries', 'Wait.')).rejects.toMatchObject({
    code: 'conflict',
    message: 'The deliveries that match could not be counted within 2 seconds. Wait.',
  });
});

it('the events of an endpoint with many patterns are looked at in small numbers', () => {
  const endpoint = { id: newId(), enabled: true, isDeleted: false, customerId: null, receivesCustomerEvents: true };
  const scope = { projectId: newId(), select: 'MISSING', from: new Date(0), to: new Date(), at: new Date() } as const;
  const scan = (patterns: string[] | null) =>
    replayedEventScan({ ...scope, customerId: null, eventType: null, endpoint: { ...endpoint, patterns } });
  expect(scan(null).maxExamined).toBe(1_000);
  expect(scan(['a.*']).maxExamined).toBeUndefined();
});

/** Starts jobs of an owner, or of a customer. */
async function startsOf() {
  const projectId = await insertProject();
  const [row] = await select<{ id: string }>('SELECT organization_id AS id FROM projects WHERE id = $1', projectId);
  return (work: () => unknown, customerId?: string) =>
    whileStartIsCounted({ projectId, organizationId: row?.id ?? '', customerId }, async () => work());
}
