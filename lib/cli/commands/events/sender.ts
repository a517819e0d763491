import { CliError, EXIT } from '@/lib/cli/cli-error';
import { readProjectKey } from '@/lib/cli/config/credentials';
import type { Context } from '@/lib/cli/context';
import type { EventDeliveryClient, SendOptions } from '@/lib/client';
import type { EventSummary } from '@/lib/events/schema';

export type SendEvent = (event: { type: string; data: object }, options: SendOptions) => Promise<EventSummary>;

/**
 * Returns what sends events to the project of the command. The API takes events only with a key: a signed-in person needs one that
 * `eds keys create --save` has stored.
 * @throws CliError when a person has none
 */
export async function senderOf(context: Context): Promise<SendEvent> {
  const { client, globals, terminal, access } = context;
  if (access.kind === 'session') return (await clientOfSavedKey(context)).events.send;
  // The API key names its project. A named one is checked: see chooseProject.
  if (!(globals.project ?? terminal.env.EDS_PROJECT)) return client.events.send;
  await context.projectId();
  return client.events.sendToProject;
}

async function clientOfSavedKey(context: Context): Promise<EventDeliveryClient> {
  const apiKey = readProjectKey(context.folder, context.url, await context.projectId());
  if (apiKey !== null) return context.clientFor({ kind: 'key', apiKey });
  throw new CliError('Sending events requires an API key for the project.', 'key_required', {
    exitCode: EXIT.forbidden,
    next: 'eds keys create my-machine --save',
  });
}
