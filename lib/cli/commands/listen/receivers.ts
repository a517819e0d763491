import type { Context } from '@/lib/cli/context';
import { isApiError } from '@/lib/client';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Destination, Source } from '@/lib/incoming/schema';

/** Calls that clean up must not keep a person waiting. */
const CLEANUP = { timeoutMs: 5_000, maxRetries: 1 };

/** The longest text that a list is searched for. */
const MAX_SEARCHED = 200;

/** Begins the description of what `eds listen` creates, so that it removes nothing that a person created. */
const MARK = 'eds listen';

/** What the command created on the server, to be ended with it. */
export interface Receiver {
  /** Such as "endpoint 0196…". */
  name: string;
  end(): Promise<unknown>;
  /** What ending does: an endpoint is paused and keeps its signing secret for the next time. */
  ending: 'delete' | 'pause';
  /** The command line that does it by hand. */
  byHand: string;
}

function descriptionFor({ terminal }: Context): string {
  return `${MARK} on ${terminal.hostName}`.slice(0, 500);
}

/** Tells whether an earlier `eds listen` created it. */
function isOfListen({ description }: { description: string | null }): boolean {
  return description?.startsWith(MARK) ?? false;
}

const ENDED = { delete: 'Deleted', pause: 'Paused' } as const;

/** Ends what was created, latest first. Says what could not be ended, and how to do it by hand. */
export async function endAll({ out }: Context, receivers: readonly Receiver[]): Promise<void> {
  for (const { name, end, ending, byHand } of receivers.toReversed()) {
    await end().then(
      () => out.note(`${ENDED[ending]} the ${name}.`),
      () => out.note(`We couldn’t ${ending} the ${name}. Do it yourself: ${byHand}`),
    );
  }
}

/** The events that a command receives. */
export interface WantedEvents {
  url: string;
  types: readonly string[];
  /** The id or uid of the customer whose they are; without one, those of the project itself. */
  customer: string | undefined;
}

/** Finds what an earlier `eds listen` left: the one of a list with this URL. */
async function findByUrl<T extends { url: string }>(all: AsyncIterable<T>, url: string): Promise<T | null> {
  for await (const each of all) if (each.url === url) return each;
  return null;
}

/** Finds the endpoint of the customer, or of the project itself, with this URL. */
async function findEndpoint({ client }: Context, { url, customer }: WantedEvents): Promise<Endpoint | null> {
  const beginning = url.slice(0, MAX_SEARCHED);
  for await (const each of client.endpoints.list({ q: beginning, customer, limit: 100 })) {
    if (each.url === url && (customer !== undefined || each.customerId === null)) return each;
  }
  return null;
}

/**
 * Makes the events of these types arrive at a URL. Uses the endpoint with this URL if there is one: that of an earlier `eds listen` has
 * the same signing secret.
 * @param created what is to be ended with the command; it grows as things are created, so that a failure leaves nothing running
 * @returns the id of the endpoint
 */
export async function receiveEvents(context: Context, wanted: WantedEvents, created: Receiver[]): Promise<string> {
  const { client, cleanupClient, out } = context;
  const { url, types, customer } = wanted;
  const found = await findEndpoint(context, wanted);
  if (found !== null && !isOfListen(found)) {
    out.note(`Using your endpoint ${found.id}, which has this tunnel’s URL. It’s kept when you quit.`);
    await subscribe(context, found, types, created);
    return found.id;
  }
  const endpoint = found ?? (await client.endpoints.create({ url, customer, description: descriptionFor(context) }));
  const { id } = endpoint;
  created.push({
    name: `endpoint ${id}`,
    end: () => cleanupClient.endpoints.update(id, { enabled: false, pauseReason: 'eds listen has ended' }, CLEANUP),
    ending: 'pause',
    byHand: `eds endpoints pause ${id}`,
  });
  if (found !== null) out.note(`Reusing the endpoint ${id} from an earlier eds listen.`);
  // Paused while its subscriptions change: it must get no event of a type that is not asked for.
  await subscribe(context, endpoint, types, null).catch(async (error) => {
    // One without subscriptions is of no use to a next time.
    if (found === null) await cleanupClient.endpoints.remove(id, CLEANUP).then(() => created.pop());
    throw error;
  });
  if (!endpoint.enabled) await client.endpoints.update(id, { enabled: true });
  return id;
}

/** Reads the signing secret of an endpoint; null for a role or key that must not see it. */
export async function secretOf({ client }: Context, endpointId: string): Promise<string | null> {
  try {
    return (await client.endpoints.getSecret(endpointId)).secret;
  } catch (error) {
    if (isApiError(error) && error.status === 403) return null;
    throw error;
  }
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
      end: () => cleanupClient.subscriptions.remove(id, CLEANUP),
      ending: 'delete',
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
    end: () => cleanupClient.destinations.remove(source.id, id, CLEANUP),
    ending: 'delete',
    byHand: `eds destinations delete ${source.id} ${id}`,
  });
  if (found !== null) out.note(`Reusing the destination ${id} from an earlier eds listen.`);
  if (!enabled) await destinations.update(source.id, id, { enabled: true });
}
