import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import type { AnsweredRequest } from '@/lib/tunnel/client/local-server';

/** The log is written without waiting for it, usually within a tenth of a second. */
const TRIES = 5;
const PAUSE_MS = 300;

/**
 * Sends the last request through its tunnel again.
 * @throws CliError when it is not in the log; ApiError request_not_kept when its body is not complete there
 */
export async function replayLast(
  { client, signal }: Context,
  { projectId, tunnelId }: { projectId: string; tunnelId: string },
  last: AnsweredRequest,
): Promise<void> {
  const options = { projectId, signal };
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { data } = await client.tunnels.listRequests(tunnelId, { limit: 20 }, options);
    const logged = data.find(({ method, path }) => method === last.method && path === last.path);
    if (logged !== undefined) return void (await client.tunnels.replayRequest(tunnelId, logged.id, options));
    if (tries < TRIES) await sleep(PAUSE_MS, undefined, { signal });
  }
  throw new CliError({
    message: 'The last request isn’t in the tunnel’s log.',
    code: 'not_logged',
    exitCode: EXIT.failure,
  });
}
