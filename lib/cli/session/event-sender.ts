import { CliError } from '@/lib/cli/cli-error';
import { readProjectKey } from '@/lib/cli/config/project-keys';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import type { EventDeliveryClient } from '@/lib/client';

/**
 * Returns a client that may send events. The API takes events only with a key: a signed-in person needs one that is saved.
 * @throws CliError when there is none
 */
export async function eventSender(context: Context): Promise<EventDeliveryClient> {
  if (context.access.kind === 'key') return context.client;
  const apiKey = readProjectKey(context.folder, context.url, await context.projectId());
  if (apiKey !== null) return context.clientFor({ kind: 'key', apiKey });
  throw new CliError({
    message: 'Sending events needs an API key of the project.',
    code: 'key_required',
    exitCode: EXIT.forbidden,
    next: 'eds keys create my-machine --save',
  });
}
