import type { Context } from '@/lib/cli/context';
import type { SendOptions } from '@/lib/client';
import type { EventSummary } from '@/lib/events/schema';

export type SendEvent = (event: { type: string; data: object }, options: SendOptions) => Promise<EventSummary>;

/** Returns what sends events to the project of the command. */
export async function senderOf(context: Context): Promise<SendEvent> {
  const { client, globals, terminal } = context;
  // The API key names its project. A named one is checked: see chooseProject.
  if (!(globals.project ?? terminal.env.EDS_PROJECT)) return (event, options) => client.events.send(event, options);
  const projectId = await context.projectId();
  return (event, options) => client.events.sendToProject(event, { ...options, projectId });
}
