import { command } from '@/lib/cli/spec';
import { getEventText } from './event-text';
import { showEvent } from './show-event';

export const getEvent = command({
  name: 'get',
  summary: 'Show an event with its data and deliveries.',
  args: { id: { description: 'ID of the event' } },
  examples: [
    { line: 'events get 0197b6a0-…', does: 'Show what was sent and how it was delivered.' },
    { line: 'events get 0197b6a0-… --json | jq .data', does: 'Get the data.' },
  ],
  run: async (context, { args }) => {
    const project = { projectId: await context.projectId(), signal: context.signal };
    await showEvent(context, project, await getEventText(context, args.id, project), true);
  },
});
