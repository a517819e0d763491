import type { Context } from '@/lib/cli/context';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination, Source } from '@/lib/incoming/schema';

/** Calls that clean up run after Ctrl-C too, and must not keep a person waiting. */
const CLEANUP = { timeoutMs: 5_000, maxRetries: 1 };

/** Begins the description of what `eds listen` creates, so that it removes nothing that a person created. */
const MARK = 'eds listen';

/** What the command created on the server, to be removed at its end. */
export interface Receiver {
  /** Such as "endpoint 0196…". */
  name: string;
  remove(): Promise<unknown>;
  /** The command line that removes it by hand. */
  byHand: string;
}

function descriptionFor({ terminal }: Context): string {
  return `${MARK} on ${terminal.hostName}`.slice(0, 500);
}

/** Tells whether an earlier `eds listen` created it. */
function isOfListen({ description }: { description: string | null }): boolean {
  return description?.startsWith(MARK) ?? false;
}

/** Removes what was created, latest first. Says what could not be removed, and how to do it by hand. */
export async function removeAll({ out }: Context, receivers: readonly Receiver[]): Promise<void> {
  for (const { name, remove, byHand } of receivers.toReversed()) {
    await remove().then(
      () => out.note(`Removed the ${name}.`),
      () => out.note(`We couldn’t remove the ${name}. Remove it yourself: ${byHand}`),
    );
  }
}

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

/**
 * Makes the events of a source arrive at a URL. Uses the destination with this URL if there is one, which a killed
 * `eds listen` leaves.
 * @param created what is to be removed at the end
 */
export async function receiveSource(
  context: Context,
  { projectId, source, url }: { projectId: string; source: Source; url: string },
  created: Receiver[],
): Promise<void> {
  const { client, signal, out } = context;
  const options = { projectId, signal };
  let found: Destination | null = null;
  for await (const each of client.destinations.list(source.id, { limit: 100 }, options)) {
    if (each.url === url) found = each;
  }
  if (found !== null && !isOfListen(found)) {
    return out.note(`Using your destination ${found.id}, which has this tunnel’s URL. It’s kept when you quit.`);
  }
  const destination =
    found ?? (await client.destinations.create(source.id, { url, description: descriptionFor(context) }, options));
  created.push({
    name: `destination ${destination.id}`,
    remove: () => client.destinations.remove(source.id, destination.id, { projectId, ...CLEANUP }),
    byHand: `eds destinations delete ${source.id} ${destination.id}`,
  });
  if (found !== null) out.note(`Reusing the destination ${found.id} from an earlier eds listen.`);
  if (!destination.enabled) await client.destinations.update(source.id, destination.id, { enabled: true }, options);
}
