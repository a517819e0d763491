import type { Context } from '@/lib/cli/context';
import { formatBody } from '@/lib/cli/output/format-body';
import { sanitize } from '@/lib/cli/output/sanitize';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEventDetail } from '@/lib/incoming/schema';
import { FORWARD_COLUMNS, INCOMING_FIELDS } from './incoming-columns';

/** A page: more destinations than that are rare, and `eds deliveries list` shows all. */
const SHOWN_FORWARDS = 100;

export const getIncoming = command({
  name: 'get',
  summary: 'Show an incoming event with its headers, body and deliveries.',
  args: { id: { description: 'ID of the incoming event' } },
  examples: [
    { line: 'incoming get 0198c0de-…', does: 'Show an incoming event.' },
    { line: "incoming get 0198c0de-… --json | jq '.deliveries[].status'", does: 'Get the status of its deliveries.' },
  ],
  run: async (context, { args }) => {
    const { incomingEvents, deliveries } = context.client;
    const project = await projectOptions(context);
    const found = await incomingEvents.get(args.id, project);
    const page = await deliveries.list({ incomingEventId: found.id, limit: SHOWN_FORWARDS }, project);
    if (context.out.isJson) context.out.value({ ...found, deliveries: page.data }, '');
    else await show(context, found, page.data);
  },
});

async function show({ out }: Context, found: IncomingEventDetail, forwards: Delivery[]): Promise<void> {
  const { bold, dim } = out.style;
  out.record(found, INCOMING_FIELDS);
  out.text(`\n${bold('Headers')}`);
  for (const [name, value] of found.headers) out.text(`${dim(`${sanitize(name)}:`)} ${sanitize(value)}`);
  out.text(`\n${bold('Body')}`);
  out.text(formatBody({ text: found.body, base64: found.bodyBase64 }));
  out.text(`\n${bold('Deliveries')}`);
  await out.list(toAsync(forwards), FORWARD_COLUMNS, { limit: undefined, empty: 'It was not forwarded.' });
}

async function* toAsync<T>(rows: T[]): AsyncGenerator<T> {
  yield* rows;
}
