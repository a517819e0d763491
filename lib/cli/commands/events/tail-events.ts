import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@/lib/cli/context';
import { text } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';
import { isApiError, NetworkError } from '@/lib/client';
import type { EventListItem } from '@/lib/events/schema';
import { NewEvents } from './new-events';

const POLL_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

export const tailEvents = command({
  name: 'tail',
  summary: 'Follow new events as they arrive, until Ctrl-C.',
  options: { type: text('-t, --type <type>', 'only this type, or a prefix such as order.*') },
  examples: [
    { line: 'events tail', does: 'Follow all events of the project.' },
    { line: "events tail --type 'order.*' --json", does: 'Follow order events, one JSON object a line.' },
  ],
  run: async (context, { options }) => {
    const { out, signal } = context;
    const project = await context.inProject();
    const fresh = new NewEvents((query) => context.client.events.list({ ...query, type: options.type }, project));
    await fresh.start();
    if (!out.isJson) out.note('Waiting for events. Press Ctrl-C to stop.');
    for (let pauseMs = POLL_MS; ; ) {
      await sleep(pauseMs, undefined, { signal });
      try {
        for (const event of await fresh.next()) show(context, event);
        if (pauseMs > POLL_MS) out.note('The server answers again.');
        pauseMs = POLL_MS;
      } catch (error) {
        if (!isTemporary(error)) throw error;
        if (pauseMs === POLL_MS) out.note('The server does not answer. Trying again…');
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  },
});

function show({ out }: Context, event: EventListItem): void {
  const { dim, bold } = out.style;
  out.item(event, `${dim(event.createdAt)}  ${bold(sanitize(event.type))}  ${event.id}`);
}

function isTemporary(error: unknown): boolean {
  return error instanceof NetworkError || (isApiError(error) && (error.status >= 500 || error.status === 429));
}
