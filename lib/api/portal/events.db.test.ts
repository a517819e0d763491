import { describe, expect, it } from 'vitest';
import type { PortalEvent, PortalRoutingItem } from '@/lib/portal/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents } from '@/tests/fixtures/deliveries';
import { usePortal } from '@/tests/fixtures/portal';
import { call, expectProblem } from '@/tests/http/api-request';

useDatabase();
const { projects, base, asOwner, makeEndpoint, mine, makeCustomer, portal, list } = usePortal();

async function sent(customerId: string | null, type = 'order.paid'): Promise<string> {
  const data = '{"amount":42,"note":"of the company"}';
  const [id = ''] = await insertEvents(projects.mine.id, 1, { type, data, customerId });
  await run('DELETE FROM outbox WHERE event_id = $1', id);
  return id;
}
const sendTo = (eventId: string, endpointId: string) =>
  call('POST', `${base()}/events/${eventId}/deliveries`, { ...asOwner(), body: { endpointId } });

describe('the events of a customer', () => {
  it('are listed without their data, with how many of its own endpoints each was sent to', async () => {
    const theirs = await makeEndpoint(projects.mine, { customer: mine.customer.id });
    const ours = await makeEndpoint();
    const others = await makeCustomer();
    const first = await sent(mine.customer.id);
    const second = await sent(mine.customer.id, 'invoice.paid');
    for (const customerId of [null, others.id]) await sent(customerId);
    for (const { id } of [theirs, ours]) expect((await sendTo(first, id)).status).toBe(202);
    const event = { type: 'order.paid', createdAt: expect.any(String) };
    expect(await list<PortalEvent>('/events', mine.reader)).toEqual([
      { ...event, id: second, type: 'invoice.paid', deliveryCount: 0 },
      { ...event, id: first, deliveryCount: 1 },
    ]);
    expect((await list<PortalEvent>('/events?type=order.*')).map(({ id }) => id)).toEqual([first]);
    expectProblem(await portal('GET', '/events?customer=x'), 400, 'validation_failed');
  });

  it('say where each went among its own endpoints, without filters, data and what only the company can do', async () => {
    const customer = mine.customer.id;
    const filter = { path: 'data.note', op: 'eq', value: 'a secret of the company' };
    const sentTo = await makeEndpoint(projects.mine, { customer, eventTypes: ['*'] });
    const other = await makeEndpoint(projects.mine, { customer, eventTypes: ['invoice.*'] });
    const filtered = await makeEndpoint(projects.mine, { customer, eventTypes: ['*'], filter });
    const paused = await makeEndpoint(projects.mine, { customer, eventTypes: ['*'], enabled: false });
    await makeEndpoint(projects.mine, { eventTypes: ['*'], receivesCustomerEvents: true });
    const eventId = await sent(customer);
    await sendTo(eventId, sentTo.id);
    const shown = await portal<{ data: PortalRoutingItem[] }>(
      'GET',
      `/events/${eventId}/routing`,
      undefined,
      mine.reader,
    );
    expect(shown.text).not.toMatch(/of the company|customerId|Send this event/);
    expect(shown.json.data.map(({ endpointId, outcome, reason }) => [endpointId, outcome, reason])).toEqual([
      [
        paused.id,
        'DISABLED',
        expect.stringMatching(/^It has been paused since .* UTC\. Enable it for later events\.$/),
      ],
      [filtered.id, 'FILTERED', 'A filter of this endpoint leaves the event out.'],
      [
        other.id,
        'NOT_SUBSCRIBED',
        'It is subscribed to invoice.*, not to order.paid. Subscribe it to order.paid for later events.',
      ],
      [sentTo.id, 'SENT', 'Its subscription to * matches.'],
    ]);
  });

  it('are found by nobody else', async () => {
    const others = await makeCustomer();
    for (const customerId of [null, others.id]) {
      const path = `/events/${await sent(customerId)}/routing`;
      expectProblem(await portal('GET', path), 404, 'not_found');
    }
  });
});
