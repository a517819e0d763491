import { sign } from '@octokit/webhooks-methods';
import { expect, test } from '@playwright/test';
import Stripe from 'stripe';
import { callApi, makeWorkspace } from './support/api';
import { fetchChecked } from './support/check-response';
import { type Receiver, startReceiver } from './support/receiver';
import { makeDestination, makeSource } from './support/sources';

interface Forward {
  destinationId: string;
  status: string;
  attemptCount: number;
}

const SECRET = 'a secret of the provider';
const RAW = '{"id":"evt_1","type":"charge.succeeded","amount":1e2}';

const SENDERS = [
  {
    provider: 'GITHUB' as const,
    headersOf: async () => ({
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': 'd-1',
      'X-Hub-Signature-256': await sign(SECRET, RAW),
    }),
  },
  {
    provider: 'STRIPE' as const,
    headersOf: async () => ({
      'Stripe-Signature': new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload: RAW, secret: SECRET }),
    }),
  },
];

for (const { provider, headersOf } of SENDERS) {
  test(`a request of ${provider} reaches two destinations, one of them after a retry, and again when it is replayed`, async ({
    baseURL,
  }) => {
    const productUrl = baseURL ?? '';
    const working = await startReceiver();
    const failing = await startReceiver();
    failing.status = 503;
    try {
      const workspace = await makeWorkspace(productUrl, working.url);
      const { key, projectId } = workspace;
      const source = await makeSource(productUrl, workspace, provider, SECRET);
      const destinationIds: string[] = [];
      for (const { url } of [working, failing]) {
        const body = { url, retrySeconds: [1, 1, 1, 1] };
        destinationIds.push((await makeDestination(productUrl, workspace, source, body)).id);
      }
      const headers = await headersOf();
      const post = () => fetchChecked(source.url, { method: 'POST', headers, body: RAW });
      const first = await post();
      expect(first.status).toBe(202);
      const { id } = (await first.json()) as { id: string };
      await expect.poll(() => failing.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
      failing.status = 200;
      const forwards = async () => {
        const path = `/projects/${projectId}/deliveries?incomingEventId=${id}`;
        const { data } = await callApi<{ data: Forward[] }>(productUrl, 'GET', path, { key });
        return destinationIds.map((each) => data.find(({ destinationId }) => destinationId === each));
      };
      await expect.poll(async () => (await forwards()).map((each) => each?.status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
      const attempts = (await forwards()).map((each) => each?.attemptCount ?? 0);
      expect(attempts[0]).toBe(1);
      expect(attempts[1]).toBeGreaterThanOrEqual(3);
      // The provider repeats a request whose answer it did not get: it is not forwarded again.
      expect(await (await post()).json()).toMatchObject({ id });
      const before = [working.received.length, failing.received.length];
      await callApi(productUrl, 'POST', `/projects/${projectId}/incoming-events/${id}/replay`, { key, body: {} });
      const counts = () => [working.received.length, failing.received.length];
      await expect.poll(counts, { timeout: 20_000 }).toEqual(before.map((count) => count + 1));
      for (const receiver of [working, failing]) expectOriginal(receiver, headers, source.id);
    } finally {
      await Promise.all([working.close(), failing.close()]);
    }
  });
}

/** Every forward has the body and the signature of the provider. */
function expectOriginal(receiver: Receiver, headers: Record<string, string>, sourceId: string): void {
  for (const { headers: got, body } of receiver.received) {
    expect(body).toBe(RAW);
    expect(got['x-eds-source-id']).toBe(sourceId);
    for (const [name, value] of Object.entries(headers)) expect(got[name.toLowerCase()]).toBe(value);
  }
}
