import type { Context } from '@/lib/cli/context';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination, Source } from '@/lib/incoming/schema';

/** Calls that clean up must not keep a person waiting. */
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

/** Finds what a killed `eds listen` leaves: the one of a list with this URL. */
async function findByUrl<T extends { url: string }>(all: AsyncIterable<T>, url: string): Promise<T | null> {
  for await (const each of all) if (each.url === url) return each;
  return null;
}

/**
 * Makes the events of these types arrive at a URL. Uses the endpoint with this URL if there is one.
 * @param created what is to be removed at the end; it grows as things are created, so that a failure leaves nothing
 */
export async function receiveEvents(
  context: Context,
  { url, types }: { url: string; types: readonly string[] },
  created: Receiver[],
): Promise<void> {
  const { client, cleanupClient, out } = context;
  const found = await findByUrl(client.endpoints.list({ limit: 100 }), url);
  if (found !== null && !isOfListen(found)) {
    out.note(`Using your endpoint ${found.id}, which has this tunnel’s URL. It’s kept when you quit.`);
    return await subscribe(context, found, types, created);
  }
  const endpoint = found ?? (await client.endpoints.create({ url, description: descriptionFor(context) }));
  const { id } = endpoint;
  created.push({
    name: `endpoint ${id}`,
    remove: () => cleanupClient.endpoints.remove(id, CLEANUP),
    byHand: `eds endpoints delete ${id}`,
  });
  if (found !== null) out.note(`Reusing the endpoint ${id} from an earlier eds listen.`);
  if (!endpoint.enabled) await client.endpoints.update(id, { enabled: true });
  await subscribe(context, endpoint, types, null);
}

/** Adds the subscriptions that are missing. @param added gets those; null for an endpoint of `eds listen`, which has no others */
async function subscribe(
  { client, cleanupClient }: Context,
  { id: endpointId }: Endpoint,
  types: readonly string[],
  added: Receiver[] | null,
): Promise<void> {
  const missing = new Set(types);
  for await (const each of client.subscriptions.list({ limit: 100, endpointId })) {
    const isWanted = each.enabled && missing.delete(each.eventType);
    if (!isWanted && added === null) await client.subscriptions.remove(each.id);
  }
  for (const eventType of missing) {
    const { id } = await client.subscriptions.create({ endpointId, eventType });
    added?.push({
      name: `subscription ${id}`,
      remove: () => cleanupClient.subscriptions.remove(id, CLEANUP),
      byHand: `eds subscriptions delete ${id}`,
    });
  }
}

/**
 * Makes the events of a source arrive at a URL. Uses the destination with this URL if there is one.
 * @param created what is to be removed at the end
 */
export async function receiveSource(
  context: Context,
  { source, url }: { source: Source; url: string },
  created: Receiver[],
): Promise<void> {
  const { client, cleanupClient, out } = context;
  const { destinations } = client;
  const found: Destination | null = await findByUrl(destinations.list(source.id, { limit: 100 }), url);
  if (found !== null && !isOfListen(found)) {
    return out.note(`Using your destination ${found.id}, which has this tunnel’s URL. It’s kept when you quit.`);
  }
  const { id, enabled } =
    found ?? (await destinations.create(source.id, { url, description: descriptionFor(context) }));
  created.push({
    name: `destination ${id}`,
    remove: () => cleanupClient.destinations.remove(source.id, id, CLEANUP),
    byHand: `eds destinations delete ${source.id} ${id}`,
  });
  if (found !== null) out.note(`Reusing the destination ${id} from an earlier eds listen.`);
  if (!enabled) await destinations.update(source.id, id, { enabled: true });
}
