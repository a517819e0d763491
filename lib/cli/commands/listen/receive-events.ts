import type { Context } from '@/lib/cli/context';
import type { Endpoint } from '@/lib/delivery/schema';
import { CLEANUP, descriptionFor, isOfListen, type Receiver } from './receiver';

/** Where events of the project are to be posted. */
interface EventsRequest {
  projectId: string;
  url: string;
  types: readonly string[];
}

/**
 * Makes the events of these types arrive at a URL. Uses the endpoint with this URL if there is one, which a killed
 * `eds listen` leaves.
 * @param created what is to be removed at the end; it grows as things are created, so that a failure leaves nothing
 */
export async function receiveEvents(context: Context, request: EventsRequest, created: Receiver[]): Promise<void> {
  const { client, signal, out } = context;
  const options = { projectId: request.projectId, signal };
  const found = await findEndpoint(context, request);
  if (found === null || isOfListen(found)) {
    const endpoint =
      found ?? (await client.endpoints.create({ url: request.url, description: descriptionFor(context) }, options));
    created.push({
      name: `endpoint ${endpoint.id}`,
      remove: () => client.endpoints.remove(endpoint.id, { projectId: request.projectId, ...CLEANUP }),
      byHand: `eds endpoints delete ${endpoint.id}`,
    });
    if (found !== null) out.note(`Reusing the endpoint ${found.id} from an earlier eds listen.`);
    if (!endpoint.enabled) await client.endpoints.update(endpoint.id, { enabled: true }, options);
    await subscribe(context, request, endpoint, null);
    return;
  }
  out.note(`Using your endpoint ${found.id}, which has this tunnel’s URL. It’s kept when you quit.`);
  await subscribe(context, request, found, created);
}

async function findEndpoint({ client, signal }: Context, { projectId, url }: EventsRequest): Promise<Endpoint | null> {
  for await (const each of client.endpoints.list({ limit: 100 }, { projectId, signal })) {
    if (each.url === url) return each;
  }
  return null;
}

/** Adds the subscriptions that are missing. @param added gets those; null for an endpoint of `eds listen`, which has no others */
async function subscribe(
  { client, signal }: Context,
  { projectId, types }: EventsRequest,
  endpoint: Endpoint,
  added: Receiver[] | null,
): Promise<void> {
  const options = { projectId, signal };
  const missing = new Set(types);
  for await (const each of client.subscriptions.list({ limit: 100, endpointId: endpoint.id }, options)) {
    const isWanted = each.enabled && missing.delete(each.eventType);
    if (!isWanted && added === null) await client.subscriptions.remove(each.id, options);
  }
  for (const eventType of missing) {
    const { id } = await client.subscriptions.create({ endpointId: endpoint.id, eventType }, options);
    added?.push({
      name: `subscription ${id}`,
      remove: () => client.subscriptions.remove(id, { projectId, ...CLEANUP }),
      byHand: `eds subscriptions delete ${id}`,
    });
  }
}
