import type { Context } from '@/lib/cli/context';
import type { Destination, Source } from '@/lib/incoming/schema';
import { CLEANUP, descriptionFor, isOfListen, type Receiver } from './receiver';

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
