import { CliError } from '@/lib/cli/cli-error';
import { findSource } from '@/lib/cli/commands/sources/find-source';
import { followJob } from '@/lib/cli/concurrency/follow-job';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
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
  return `Replay ${many} incoming events from ${name}${since}?`;
}

async function followReplay(context: Context, started: Replay, project: ProjectOptions): Promise<Replay> {
  const { replays } = context.client;
  const { projectId } = project;
  return await followJob(context, started, {
    read: () => replays.get(started.id, project),
    cancel: () => replays.cancel(started.id, projectId === undefined ? {} : { projectId }),
    describe: ({ replayed, total }) => `Queued ${replayed} of ${total} incoming events`,
  });
}

function failed({ id, replayed, total, error }: Replay): CliError {
  return new CliError({
    message: `The replay ${id} failed after ${replayed} of ${total} incoming events.`,
    reason: error ?? undefined,
    code: 'replay_failed',
    exitCode: EXIT.failure,
  });
}
