import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { flag, text, time, yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { replayMany } from './replay-many';

export const replayIncoming = command({
  name: 'replay',
  summary: 'Forward incoming events again: one by ID, or all from a source.',
  details:
    'Unverified requests are never forwarded. Ctrl-C cancels the replay of a source, but queued deliveries are still sent.',
  args: { id: { description: 'ID of the incoming event', isOptional: true } },
  options: {
    source: text('--source <id|name>', 'forward all events from this source again'),
    from: time('--from <time>', 'with `--source`, only events since this time'),
    to: time('--to <time>', 'with `--source`, only events until this time'),
    destination: text('--destination <id>', 'only to this destination (default: every enabled destination)'),
    wait: flag('--no-wait', 'with `--source`, don’t wait until all are queued'),
    yes,
  },
  examples: [
    { line: 'incoming replay 0198c0de-…', does: 'Replay one event.' },
    { line: 'incoming replay --source shop --from 2h --yes', does: 'Replay the last two hours.' },
  ],
  run: async (context, { args, options }) => {
    const { source, from, to, destination, wait, yes } = options;
    const isOfMany = source !== undefined && args.id === undefined;
    if (isOfMany) return await replayMany(context, { source, from, to, destination, wait, yes });
    if (args.id === undefined || source !== undefined || from !== undefined || to !== undefined) throw unclear();
    await replayOne(context, args.id, destination);
  },
});

async function replayOne(context: Context, id: string, destinationId: string | undefined): Promise<void> {
  const { incomingEvents } = context.client;
  const replayed = await incomingEvents.replay(id, { destinationId }, await projectOptions(context));
  const count = replayed.deliveryIds.length;
  context.out.done(replayed, `Queued ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`);
  if (count === 0) context.out.note('The source has no enabled destination.');
}

function unclear(): CliError {
  return new CliError({
    message: 'Give the ID of one incoming event, or --source.',
    reason: '--from and --to need --source.',
    code: 'usage',
    exitCode: EXIT.usage,
  });
}
