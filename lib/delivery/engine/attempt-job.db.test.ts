import { expect, it, vi } from 'vitest';
import { readOwnersOfProjects } from '@/lib/orgs/tenant';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { attemptJob } from './attempt-job';
import { eventMessage } from './messages';
import { closeDeliveryPools, deliveryPools } from './send-once';
import { addressOf } from './targets';
import type { Job, Target } from './types';

useDatabase();

it('lookups of names count for the owner of all projects, and for the project while its owner is unknown', async () => {
  const owner = await registerPerson();
  const [first, second] = [await makeProject(owner), await makeProject(owner)];
  const unknown = newId();
  await readOwnersOfProjects([first.id, second.id]);
  const acquire = vi.spyOn(deliveryPools(), 'acquire');
  for (const projectId of [first.id, second.id, unknown]) await attempt(projectId);
  expect(acquire.mock.calls.map(([, use]) => use?.tenant)).toEqual([owner.userId, owner.userId, unknown]);
  await closeDeliveryPools();
});

function attempt(projectId: string) {
  const message = eventMessage({
    id: 'evt_1',
    type: 'order.created',
    timestamp: '2026-11-20T12:00:00.000Z',
    data: '{}',
  });
  const job = { message, scheduleStep: 0, attemptNumber: 1, source: { eventId: 'e', incomingEventId: null } } as Job;
  const target = {
    ...addressOf('http://127.0.0.1:9/'),
    fault: null,
    kind: 'endpoint',
    projectId,
    customerId: null,
    signingKeys: [],
    headers: {},
    signature: { profile: 'STANDARD' },
    sendsData: false,
    filter: null,
    rateLimit: null,
    scheduleSeconds: [],
  };
  return attemptJob(deliveryPools(), job, target as unknown as Target);
}
