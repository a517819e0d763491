import type { Context } from '@/lib/cli/context';
import { retrySeconds } from '@/lib/cli/input/retry-seconds';
import { flag, text, texts } from '@/lib/cli/options';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';
import type { ProjectOptions } from '@/lib/client';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';

export const createEndpoint = command({
  name: 'create',
  summary: 'Create an endpoint, a URL that receives events.',
  details: 'With `--event`, also creates the subscriptions. If one can’t be created, neither is the endpoint.',
  args: { url: { description: 'where events are sent' } },
  options: {
    event: texts(
      '-e, --event <type>',
      'type of event to subscribe to, such as `order.paid`, `order.*` or `*` (repeatable)',
    ),
    description: text('--description <text>', 'what the endpoint is for'),
    retrySeconds,
    disabled: flag('--disabled', 'start disabled'),
  },
  examples: [
    {
      line: `endpoints create https://example.com/hooks --event 'order.*'`,
      does: 'Send it all events that start with order.',
    },
    {
      line: 'endpoints create https://example.com/hooks -e order.paid -e user.created',
      does: 'Subscribe to two types.',
    },
  ],
  run: async (context, { args, options }) => {
    const { client, out, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { description, retrySeconds } = options;
    const body = { url: args.url, description, retrySeconds, enabled: !options.disabled };
    const endpoint = await client.endpoints.create(body, project);
    const subscriptions = await subscribe(context, project, endpoint, options.event);
    const types = subscriptions.map(({ eventType }) => sanitize(eventType)).join(', ');
    out.done({ ...endpoint, subscriptions }, `Created the endpoint ${endpoint.id} for ${sanitize(endpoint.url)}.`);
    if (out.isJson) return;
    if (types === '') out.note(`It receives no events yet. Subscribe it: eds subscriptions create ${endpoint.id} '*'`);
    else out.note(` It receives ${types}.`);
    out.hint(`  Show its signing secret: eds endpoints secret ${endpoint.id}`);
    out.hint(`  Send it a test event:    eds endpoints test ${endpoint.id}`);
  },
});

/** Creates the subscriptions, or removes the endpoint again: the next try would create a second one. */
async function subscribe(
  { client, out }: Context,
  project: ProjectOptions,
  { id }: Endpoint,
  eventTypes: string[],
): Promise<Subscription[]> {
  const created: Subscription[] = [];
  try {
    for (const eventType of new Set(eventTypes)) {
      created.push(await client.subscriptions.create({ endpointId: id, eventType }, project));
    }
    return created;
  } catch (error) {
    // Without the signal: Ctrl-C must not keep half of it.
    await client.endpoints.remove(id, { projectId: project.projectId }).catch(() => {
      out.note(
        `The endpoint ${id} was created without all of its subscriptions. Delete it: eds endpoints delete ${id}`,
      );
    });
    throw error;
  }
}
