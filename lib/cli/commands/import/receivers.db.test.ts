import { Webhook } from 'svix';
import { expect, it } from 'vitest';
import type { EventListItem, EventSummary } from '@/lib/events/schema';
import { SVIX_TOKEN, svixApplication, svixEndpoint, useSvixServer } from '@/tests/cli/svix-server';
import { useCli } from '@/tests/cli/use-cli';
import { useImport } from '@/tests/cli/use-import';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { type ReceivedRequest, startReceiver, waitFor } from '@/tests/http/receiver';

const { projects, eds } = useCli();
const svix = useSvixServer();
const { run, api } = useImport({ eds, projects, line: () => ['svix', '--url', svix.url()], token: { SVIX_TOKEN } });

/** What a receiver keeps of a request to verify it, as Svix's documentation says. */
const headersOf = ({ headers }: ReceivedRequest) => ({
  'svix-id': String(headers['svix-id']),
  'svix-timestamp': String(headers['svix-timestamp']),
  'svix-signature': String(headers['svix-signature']),
});

it('a receiver that verifies with the library of Svix accepts what an imported endpoint sends, with the secret from there', async () => {
  const receiver = await startReceiver();
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const headers = { 'X-Tenant': 'acme' };
  svix.applications = [
    svixApplication(
      'app_r',
      [svixEndpoint('ep_r', { url: receiver.url, secret, headers, eventTypes: ['order.paid'] })],
      {
        uid: 'acme',
      },
    ),
  ];
  const { of } = await run();
  const id = String(of('ep_r').id);
  await startWorker();
  const data = { orderId: 'ord_1', amount: 4200 };
  const send = () => api<EventSummary>('POST', '/events', { type: 'order.paid', data, customer: 'acme' });

  // Sent to both: nothing arrives from here while it is paused.
  const { id: early } = await send();
  const isFannedOut = async () => (await api<EventListItem>('GET', `/events/${early}`)).fanOutStatus === 'COMPLETED';
  await waitFor('the fan-out', isFannedOut);
  await api('PATCH', `/endpoints/${id}`, { enabled: true });
  const { id: eventId } = await send();
  await waitFor('the delivery', isSettled(id, 1));

  const [request] = receiver.received as [ReceivedRequest];
  expect(receiver.received).toHaveLength(1);
  expect(request.body).toBe(JSON.stringify(data));
  expect(new Webhook(secret).verify(request.body, headersOf(request))).toEqual(data);
  expect(request.headers).toMatchObject({ 'svix-id': eventId, 'content-type': 'application/json', 'x-tenant': 'acme' });
  const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`);
  expect(() => other.verify(request.body, headersOf(request))).toThrow();
});
