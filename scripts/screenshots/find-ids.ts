import { callApi } from '@/e2e/support/api';
import type { PageIds } from './pages';

interface Rows {
  data: { id: string }[];
}

/** Returns the ids of what the pages of the demo show: the first of each list, and a delivery that failed. */
export async function findIds(baseUrl: string, token: string): Promise<PageIds> {
  const get = <T>(path: string) => callApi<T>(baseUrl, 'GET', path, { token });
  const first = async (path: string) => (await get<Rows>(path)).data[0]?.id ?? '';
  const me = await get<{ organizations: { id: string }[] }>('/auth/me');
  const orgId = me.organizations[0]?.id ?? '';
  const projectId = await first(`/orgs/${orgId}/projects`);
  const base = `/projects/${projectId}`;
  const { tunnelId, requestId } = await findTunnel(get, base);
  return {
    orgId,
    projectId,
    tunnelId,
    eventId: await first(`${base}/events?limit=1`),
    deliveryId: await first(`${base}/deliveries?status=FAILED&limit=1`),
    endpointId: await first(`${base}/endpoints`),
    sourceId: await first(`${base}/sources`),
    incomingEventId: await first(`${base}/incoming-events?limit=1`),
    requestId,
  };
}

/** Returns a tunnel with its newest request. A new one has none. */
async function findTunnel(get: <T>(path: string) => Promise<T>, base: string) {
  for (const { id } of (await get<Rows>(`${base}/tunnels`)).data) {
    const [request] = (await get<Rows>(`${base}/tunnels/${id}/requests`)).data;
    if (request !== undefined) return { tunnelId: id, requestId: request.id };
  }
  return { tunnelId: '', requestId: '' };
}
