import { CliError } from '@/lib/cli/cli-error';
import { pollUntil } from '@/lib/cli/concurrency/poll-until';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { Progress } from '@/lib/cli/output/progress';
import type { ProjectOptions } from '@/lib/client';
import type { Delivery } from '@/lib/delivery/schema';

/** Retries a delivery, and waits for the attempt if `waitMs` says how long. @throws CliError when the attempt fails */
export async function retryOne(
  context: Context,
  project: ProjectOptions,
  { id, waitMs }: { id: string; waitMs: number | undefined },
): Promise<void> {
  const { client, out } = context;
  // Counted before the retry: a worker may attempt it before its response is here.
  const { attemptCount } = await client.deliveries.get(id, project);
  const queued = await client.deliveries.retry(id, project);
  if (waitMs === undefined) return out.done(queued, `Queued the delivery ${id}. Watch it: eds deliveries get ${id}`);
  const ended = await waitForAttempt(context, project, { id, attemptCount, waitMs });
  const result = `Attempt ${ended.attemptCount}: ${ended.lastError ?? ended.lastResponseStatus ?? ended.status}`;
  if (ended.status === 'SUCCEEDED') return out.done(ended, `Succeeded. ${result}`);
  if (out.isJson) out.value(ended, '');
  const isOver = ended.attemptCount > attemptCount || ended.status === 'FAILED';
  throw new CliError({
    message: isOver ? 'The attempt failed.' : 'The attempt hasn’t finished yet.',
    reason: isOver ? result : undefined,
    code: isOver ? 'delivery_failed' : 'timeout',
    exitCode: EXIT.failure,
    next: `eds deliveries get ${id}`,
  });
}

async function waitForAttempt(
  { client, terminal, signal }: Context,
  project: ProjectOptions,
  { id, attemptCount, waitMs }: { id: string; attemptCount: number; waitMs: number },
): Promise<Delivery> {
  const progress = new Progress(terminal);
  progress.show('Waiting for the attempt…');
  return await pollUntil(
    (signal) => client.deliveries.get(id, { ...project, signal }),
    (delivery) => delivery.status !== 'PENDING' || delivery.attemptCount > attemptCount,
    { timeoutMs: waitMs, signal },
  ).finally(() => progress.clear());
}
