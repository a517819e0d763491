import { DELIVERY_COLUMNS } from '@/lib/cli/commands/deliveries/delivery-state';
import { sanitizeLines } from '@/lib/cli/output/sanitize';
import { command } from '@/lib/cli/spec';

export const getEvent = command({
  name: 'get',
  summary: 'Show an event with its data and its deliveries.',
  args: { eventId: { description: 'ID of the event' } },
  examples: [{ line: 'events get $EVENT_ID', does: 'Show what was sent, and where it went.' }],
  run: async (context, { args }) => {
    const { client, out } = context;
    const event = await client.events.get(args.eventId, await context.inProject());
    out.record(event, [
      { header: 'ID', value: ({ id }) => id },
      { header: 'TYPE', value: ({ type }) => type },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
    ]);
    if (out.isJson) return;
    out.section('Data');
    context.terminal.stdout.write(`${sanitizeLines(JSON.stringify(event.data, null, 2))}\n`);
    out.section('Deliveries');
    await out.list(rows(event.deliveries), DELIVERY_COLUMNS, {
      limit: undefined,
      empty: 'No endpoint gets this event.',
    });
  },
});

async function* rows<T>(items: T[]) {
  yield* items;
}
