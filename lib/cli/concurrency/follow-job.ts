import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '@/lib/cli/context';
import { Progress } from '@/lib/cli/output/progress';

const POLL_MS = 500;

interface JobCalls<Job> {
  read: () => Promise<Job>;
  /** Called after Ctrl-C, when `context.signal` is aborted already. */
  cancel: () => Promise<Job>;
  /** How far it is: "Retried 20 of 50 deliveries". */
  describe: (job: Job) => string;
}

/**
 * Polls until a job of the server has ended, and shows its progress. Ctrl-C cancels it: whoever stops the command wants no more
 * of it done.
 */
export async function followJob<Job extends { status: string }>(
  { signal, terminal, out }: Context,
  started: Job,
  { read, cancel, describe }: JobCalls<Job>,
): Promise<Job> {
  let current = started;
  const progress = new Progress(terminal);
  try {
    while (current.status === 'RUNNING') {
      progress.show(`${describe(current)}…`);
      await sleep(POLL_MS, undefined, { signal });
      current = await read();
    }
    return current;
  } catch (error) {
    progress.clear();
    if (!signal.aborted) throw error;
    out.note(`Canceled. ${describe(await cancel())}. Those are still sent.`);
    throw error;
  } finally {
    progress.clear();
  }
}
