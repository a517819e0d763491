import { expect, it } from 'vitest';
import { chooseIds } from './find-ids';

const ANSWERS: Record<string, unknown> = {
  '/auth/me': { organizations: [{ id: 'org' }] },
  '/orgs/org/projects': { data: [{ id: 'p' }] },
  '/projects/p/endpoints': {
    data: [
      { id: 'newest', url: 'http://localhost:3000/t/token' },
      { id: 'crm', url: 'http://127.0.0.1:4747/crm' },
    ],
  },
  '/projects/p/sources': {
    data: [
      { id: 'scanner', provider: 'GENERIC_HMAC' },
      { id: 'stripe', provider: 'STRIPE' },
      { id: 'github', provider: 'GITHUB' },
    ],
  },
  '/projects/p/incoming-events?sourceId=github&limit=1': { data: [{ id: 'push' }] },
  '/projects/p/tunnels': { data: [{ id: 'quiet' }, { id: 'busy' }] },
  '/projects/p/tunnels/busy/requests': { data: [{ id: 'request' }] },
};

it('chooses an endpoint with failures, a source with destinations, and a tunnel with requests', async () => {
  const ids = await chooseIds(async <T>(path: string) => (ANSWERS[path] ?? { data: [] }) as T);
  expect(ids).toMatchObject({ endpointId: 'crm', sourceId: 'stripe', incomingEventId: 'push' });
  expect(ids).toMatchObject({ tunnelId: 'busy', requestId: 'request' });
});

it('returns an empty id for what the demo does not have, which no page is opened with', async () => {
  const ids = await chooseIds(async <T>(path: string) => (path === '/auth/me' ? ANSWERS[path] : { data: [] }) as T);
  expect(ids).toMatchObject({ orgId: 'org', endpointId: '', deliveryId: '' });
});
