import { expect, it } from 'vitest';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import type { EventReplay, EventReplayPreview } from '@/lib/delivery/schema';
import { readHeavily, shareConnections, shareWaits } from '@/lib/platform/connection-shares';
import { newId } from '@/lib/platform/ids';
import type { PortalReplay } from '@/lib/portal/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { anHourAgo, eventsSentTo, insertPastEvents } from '@/tests/fixtures/event-replays';
import { makeProject } from '@/tests/fixtures/people';
import { usePortal } from '@/tests/fixtures/portal';
import { call, expectInvalid, expectProblem } from '@/tests/http/api-request';

useDatabase();
const { projects, base, asOwner, makeEndpoint, mine, makeCustomer, portal } = usePortal();

const makeMine = (body: object = {}) =>
  makeEndpoint(projects.mine, { customer: mine.customer.uid, eventTypes: ['*'], ...body });
const replay = (endpointId: string, body: object = {}, token = mine.manager) =>
  portal<PortalReplay & EventReplayPreview>(
    'POST',
    `/endpoints/${endpointId}/replays`,
    { from: anHourAgo(), ...body },
    token,
  );

it('a customer counts and sends what its endpoint has missed: its own events alone', async () => {
  const { id } = await makeMine();
  const events = await insertPastEvents(projects.mine.id, 3, { customerId: mine.customer.id });
  await insertPastEvents(projects.mine.id, 2);
  const counted = await replay(id, { dryRun: true });
  expect([counted.status, counted.json]).toEqual([200, { count: 3, isExact: true }]);
  const started = await replay(id);
  expect(started.status, started.text).toBe(202);
  expect(started.json).toMatchObject({ status: 'RUNNING', total: 3, checked: 0, sent: 0 });
  expect(started.text).not.toMatch(/customer|project|endpoint/i);
  await continueEventReplays();
  expect(await eventsSentTo(id)).toEqual(events);
});

it('a customer has one replay at a time, which does not keep its company or another customer from starting one', async () => {
  const { id } = await makeMine();
  await insertPastEvents(projects.mine.id, 1, { customerId: mine.customer.id });
  expect((await replay(id)).status).toBe(202);
  expectProblem(await replay(id), 409, 'conflict');
  for (let count = 0; count < 3; count += 1) {
    const body = { from: anHourAgo() };
    expect((await call('POST', `${base()}/event-replays`, { ...asOwner(), body })).status).toBe(202);
  }
  const { json } = await call<{ data: EventReplay[] }>('GET', `${base()}/event-replays`, asOwner());
  expect(json.data[3]).toMatchObject({ endpointId: id, customerId: mine.customer.id });
});

it('the customers of an owner have 500 running replays in all, which keep neither the owner nor another one from starting one', async () => {
  await run(`UPDATE event_replays SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  const { id } = await makeMine();
  await insertPastEvents(projects.mine.id, 1, { customerId: mine.customer.id });
  const elsewhere = (await makeProject(projects.mine.owner)).id;
  const insert = (ownerId: string, rows: number) =>
    run(
      `INSERT INTO event_replays (id, project_id, owner_id, selection, created_from, created_to, endpoint_id, customer_id, total)
       SELECT gen_random_uuid(), $1, $2, 'MISSING', now(), now(), gen_random_uuid(), gen_random_uuid(), 1 FROM generate_series(1, $3)`,
      elsewhere,
      ownerId,
      rows,
    );
  try {
    await insert(projects.mine.owner.userId, 499);
    expect((await replay(id)).status).toBe(202);
    await run(`UPDATE event_replays SET status = 'CANCELED' WHERE endpoint_id = $1`, id);
    await insert(projects.mine.owner.userId, 1);
    expectProblem(await replay(id), 409, 'limit_reached');
    const body = { from: anHourAgo() };
    expect((await call('POST', `${base()}/event-replays`, { ...asOwner(), body })).status).toBe(202);
    await run('UPDATE event_replays SET owner_id = $2 WHERE project_id = $1', elsewhere, newId());
    expect((await replay(id)).status).toBe(202);
  } finally {
    await run('DELETE FROM event_replays WHERE project_id = $1', elsewhere);
  }
});

it('is refused to those who may only read, for endpoints of others, for one that is off, and with other fields', async () => {
  const { id } = await makeMine();
  expectProblem(await replay(id, {}, mine.reader), 403, 'forbidden');
  const other = await makeCustomer();
  const theirs = await makeEndpoint(projects.mine, { customer: other.uid });
  expectProblem(await replay(theirs.id), 404, 'not_found');
  expectProblem(await replay((await makeEndpoint()).id), 404, 'not_found');
  expectInvalid(await replay(id, { select: 'ALL' }), 'select');
  await portal('PATCH', `/endpoints/${id}`, { enabled: false });
  expectProblem(await replay(id, { dryRun: true }), 409, 'conflict');
  await portal('PATCH', `/endpoints/${id}`, { enabled: true });
  expect((await replay(id)).status).toBe(202);
});

it('a preview of a customer takes no place of its company', async () => {
  const { id } = await makeMine();
  let end: () => void = () => undefined;
  const share = { network: '192.0.2.1', isReading: true, ownerId: projects.mine.owner.userId };
  const other = shareConnections(share, () =>
    readHeavily(() => new Promise<void>((resolve) => (end = resolve)), 'portal'),
  );
  const before = shareWaits().portal.waited;
  const ofCustomer = replay(id, { dryRun: true });
  await expect.poll(() => shareWaits().portal.waited).toBe(before + 1);
  const body = { from: anHourAgo(), dryRun: true };
  expect((await call('POST', `${base()}/event-replays`, { ...asOwner(), body })).status).toBe(200);
  end();
  await other;
  expect((await ofCustomer).status).toBe(200);
});
