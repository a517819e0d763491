import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@/lib/cli/cli-error';
import { findSource } from '@/lib/cli/commands/sources/find-source';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { Progress } from '@/lib/cli/output/progress';
import { projectOptions } from '@/lib/cli/session/project-options';
import type { ProjectOptions } from '@/lib/client';
import type { Replay, Source } from '@/lib/incoming/schema';

interface Wanted {
  source: string;
  from: Date | undefined;
  to: Date | undefined;
  destination: string | undefined;
  wait: boolean;
  yes: boolean;
}

const POLL_MS = 500;
/** One page: a question need not know how many more there are. */
const COUNTED = 100;

/** Forwards the incoming events of a source and a time again, and shows how far the server is. */
export async function replayMany(context: Context, wanted: Wanted): Promise<void> {
  const source = await findSource(context, wanted.source);
  const project = await projectOptions(context);
  if (!wanted.yes) await context.confirm(await questionFor(context, source, wanted, project), false);
  const { from, to, destination: destinationId } = wanted;
  const body = { sourceId: source.id, destinationId, from: from?.toISOString(), to: to?.toISOString() };
  const started = await context.client.replays.create(body, project);
  if (!wanted.wait) return context.out.done(started, `Started the replay ${started.id} of ${started.total}.`);
  const ended = await followReplay(context, started, project);
  if (ended.status === 'FAILED') throw failed(ended);
  const canceled = ended.status === 'CANCELED' ? ' It was canceled.' : '';
  context.out.done(ended, `Queued ${ended.replayed} of ${ended.total} incoming events.${canceled}`);
}

async function questionFor(context: Context, { id, name }: Source, { from, to }: Wanted, project: ProjectOptions) {
  const page = await context.client.incomingEvents.list({ sourceId: id, from, to, limit: COUNTED }, project);
  const count = page.data.filter(({ verified }) => verified !== false).length;
  const many = page.nextCursor === null ? `${count}` : `more than ${count}`;
  const since = from === undefined ? '' : ` since ${from.toISOString()}`;
  return `Forward ${many} incoming events of ${name}${since} again?`;
}

/** Polls until the replay has ended. Ctrl-C cancels it: whoever stops the command wants no more of them sent. */
async function followReplay(context: Context, started: Replay, project: ProjectOptions): Promise<Replay> {
  const { client, signal, terminal, out } = context;
  let current = started;
  const progress = new Progress(terminal);
  try {
    while (current.status === 'RUNNING') {
      progress.show(`Queued ${current.replayed} of ${current.total} incoming events…`);
      await sleep(POLL_MS, undefined, { signal });
      current = await client.replays.get(current.id, project);
    }
    return current;
  } catch (error) {
    progress.clear();
    if (!signal.aborted) throw error;
    const { projectId } = project;
    const canceled = await client.replays.cancel(current.id, projectId === undefined ? {} : { projectId });
    out.note(`Canceled. ${canceled.replayed} of ${canceled.total} incoming events were queued, and are still sent.`);
    throw error;
  } finally {
    progress.clear();
  }
}

function failed({ id, replayed, total, error }: Replay): CliError {
  return new CliError({
    message: `The replay ${id} failed after ${replayed} of ${total} incoming events.`,
    reason: error ?? undefined,
    code: 'replay_failed',
    exitCode: EXIT.failure,
  });
}
