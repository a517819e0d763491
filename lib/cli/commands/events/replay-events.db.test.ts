import { expect, it } from 'vitest';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import type { EventReplay } from '@/lib/delivery/schema';
import { useCli } from '@/tests/cli/use-cli';
import { run as runSql } from '@/tests/database/rows';
import { eventsSentTo, insertPastEvents } from '@/tests/fixtures/event-replays';
import { call } from '@/tests/http/api-request';

const { projects, base, asOwner, makeEndpoint, group } = useCli();
const { run } = group('events');
const endpoints = group('endpoints');

const makeMissing = async (count: number) => {
  const uid = `billing-${Math.random()}`;
  const { id } = await makeEndpoint(projects.mine, { eventTypes: ['order.*'], uid });
  return { id, uid, events: await insertPastEvents(projects.mine.id, count, { type: 'order.paid' }) };
};

it('counts what an endpoint missed, then sends it and waits until all is queued', async () => {
  const { id, uid, events } = await makeMissing(3);
  const counted = await run(['replay', '--endpoint', uid, '--from', '1h', '--dry-run', '--json']);
  expect(JSON.parse(counted.stdout)).toEqual({ count: 3, isExact: true });
  expect(await eventsSentTo(id)).toEqual([]);
  let isDone = false;
  const worker = (async () => {
    while (!isDone) await continueEventReplays();
  })();
  const sent = await run(['replay', '--endpoint', uid, '--from', '1h', '--missing', '--wait', '--yes', '--json']);
  isDone = true;
  await worker;
  expect(JSON.parse(sent.stdout) as EventReplay).toMatchObject({ status: 'COMPLETED', select: 'MISSING', sent: 3 });
  expect(await eventsSentTo(id)).toEqual(events);
  const again = await run(['replay', '--endpoint', uid, '--from', '1h', '--yes']);
  expect(again.stderr).toContain('There is nothing to send.');
});

it('fails with the reason when the replay does, and the list of jobs shows it', async () => {
  const { uid } = await makeMissing(1);
  const failing = (async () => {
    const sql = `UPDATE event_replays SET status = 'FAILED', failed_tries = 13, error = 'The database took too long.', completed_at = now()
                 WHERE project_id = $1 AND status = 'RUNNING'`;
    while ((await runSql(sql, projects.mine.id)).rowCount === 0);
  })();
  const failed = await run(['replay', '--endpoint', uid, '--from', '1h', '--wait', '--yes']);
  await failing;
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(
    /The event replay \S+ failed after it looked at 0 of \d+ events\.\s+The database took too long\./,
  );
  const listed = await group('jobs').run(['list']);
  expect(listed.stdout).toMatch(/EVENT_REPLAY\tFAILED\t\d+\t0\t13\tThe database took too long\./);
});

it.each([
  [['--endpoint', 'e'], 'Give --from.'],
  [['--from', '1h', '--endpoint', 'e', '--customer', 'c'], 'not both'],
  [['--from', '1h', '--missing', '--failed'], 'only one of'],
])('refuses %j', async (args, reason) => {
  const refused = await run(['replay', ...args]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(reason)]);
});

it('an endpoint that is resumed says how many events it missed, and how to send them', async () => {
  const { id } = await makeMissing(0);
  await endpoints.run(['pause', id]);
  const { json } = await call<{ disabledAt: string }>('GET', `${base()}/endpoints/${id}`, asOwner());
  await insertPastEvents(projects.mine.id, 2, { type: 'order.paid' });
  const { stderr } = await endpoints.run(['resume', id]);
  expect(stderr).toContain(`2 events since ${json.disabledAt} were not sent.`);
  expect(stderr).toContain(`eds events replay --endpoint ${id} --from ${json.disabledAt} --missing`);
});
