import { Api } from '@/scripts/demo/account';
import type { PageIds } from './pages';

interface Rows<T> {
  data: (T & { id: string })[];
}

/** Reads a path of the API as the demo's owner. */
type Get = <T>(path: string) => Promise<T>;

/**
 * Returns the ids of what the pages of the demo show, with the access token of its owner: the newest of most lists, a delivery that
 * failed, and an endpoint and a source with much to see.
 */
export async function findIds(baseUrl: string, token: string): Promise<PageIds> {
  const api = new Api(baseUrl);
  const get: Get = (path) => api.call('GET', path, { token });
  const find = async <T = object>(path: string, isWanted: (row: T) => boolean = () => true) =>
    (await get<Rows<T>>(path)).data.find(isWanted)?.id ?? '';
  const me = await get<{ organizations: { id: string }[] }>('/auth/me');
  const orgId = me.organizations[0]?.id ?? '';
  const projectId = await find(`/orgs/${orgId}/projects`);
  const base = `/projects/${projectId}`;
  const sources = `${base}/sources`;
  const githubId = await find<{ provider: string }>(sources, ({ provider }) => provider === 'GITHUB');
  const { tunnelId, requestId } = await findTunnel(get, base);
  return {
    orgId,
    projectId,
    tunnelId,
    eventId: await find(`${base}/events?limit=1`),
    apiKeyId: await find(`${base}/api-keys?limit=1`),
    deliveryId: await find(`${base}/deliveries?status=FAILED&limit=1`),
    // Mostly succeeds, with some failures.
    endpointId: await find<{ url: string }>(`${base}/endpoints`, ({ url }) => url.endsWith('/crm')),
    customerId: await find<{ endpointCount: number }>(`${base}/customers`, ({ endpointCount }) => endpointCount > 1),
    // Has a destination and many events.
    sourceId: await find<{ provider: string }>(sources, ({ provider }) => provider === 'STRIPE'),
    incomingEventId: await find(`${base}/incoming-events?sourceId=${githubId}&limit=1`),
    requestId,
  };
}

/** Returns a tunnel with its newest request. A new one has none. */
async function findTunnel(get: Get, base: string) {
  for (const { id } of (await get<Rows<object>>(`${base}/tunnels`)).data) {
    const [request] = (await get<Rows<object>>(`${base}/tunnels/${id}/requests`)).data;
    if (request !== undefined) return { tunnelId: id, requestId: request.id };
  }
  return { tunnelId: '', requestId: '' };
}
