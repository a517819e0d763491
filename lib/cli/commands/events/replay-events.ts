import { CliError, usageError } from '@/lib/cli/cli-error';
import { followJob } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { flag, text, time, yes } from '@/lib/cli/options';
import { optionsFrom } from '@/lib/cli/routes/route-command';
import { endpointIdOf } from '@/lib/cli/session/choose';
import { command } from '@/lib/cli/spec';
import type { EventReplay, EventReplayPreview, EventReplaySelect } from '@/lib/delivery/schema';
import { TYPE_FILTER } from './tail-events';

export const replayEvents = command({
  operations: ['eventReplays.create'],
  summary: 'Send the events that an endpoint missed, or that failed, or all of a time again.',
  details:
    'The server does it in the background, oldest first, at most 200 deliveries a second. Without `--endpoint` and `--customer`, to every endpoint.',
  options: {
    endpoint: text('--endpoint <id|uid>', 'only to this endpoint'),
    ...optionsFrom('eventReplays.create', 'customer'),
    from: time('--from <time>', 'events since this time'),
    to: time('--to <time>', 'events until this time'),
    missing: flag('--missing', 'what subscriptions and filters match, and was never sent (the default)'),
    failed: flag('--failed', 'deliveries that failed'),
    everything: flag('--all', 'what is missing or failed, and again what has arrived'),
    type: TYPE_FILTER,
    dryRun: flag('--dry-run', 'only show how many deliveries would be sent'),
    wait: flag('-w, --wait', 'wait until all are queued; Ctrl-C cancels the rest'),
    yes,
  },
  examples: {
    'events replay --endpoint 0197b6a0-… --from 6h --missing': 'Let an endpoint catch up after it was off.',
    'events replay --endpoint acme-billing --from 6h --dry-run': 'See how many events it missed.',
    'events replay --customer cus_8f2c1 --from 1d --failed --wait': 'Send again what failed at a customer.',
  },
  run: async (context, { options }) => {
    const { client, out } = context;
    const { endpoint, customer, from, to, type: eventType, dryRun, wait } = options;
    if (from === undefined) throw usageError('Give --from.', 'For example --from 6h.');
    if (endpoint !== undefined && customer !== undefined) throw usageError('Give --endpoint or --customer, not both.');
    const body = {
      from: from.toISOString(),
      to: to?.toISOString(),
      ...(endpoint === undefined ? {} : { endpointId: await endpointIdOf(context, endpoint) }),
      customer,
      eventType,
      select: selectOf(options),
    };
    const preview = (await client.eventReplays.create({ ...body, dryRun: true })) as EventReplayPreview;
    if (dryRun) return out.done(preview, `${describePreview(preview)} would be sent.`);
    if (preview.count === 0 && preview.isExact && !out.isJson) return out.note('There is nothing to send.');
    if (preview.count > 0 || !preview.isExact) await context.confirm(`Send ${describePreview(preview)}?`, options.yes);
    const started = (await client.eventReplays.create(body)) as EventReplay;
    if (wait) return report(context, await follow(context, started));
    out.done(started, `Started the event replay ${started.id}. It looks at ${events(started.total)}.`);
    out.hint(`Follow it: eds event-replays get ${started.id}`);
  },
});

function selectOf(given: { missing: boolean; failed: boolean; everything: boolean }): EventReplaySelect {
  const chosen = (['missing', 'failed', 'everything'] as const).filter((name) => given[name]);
  if (chosen.length > 1) throw usageError('Give only one of --missing, --failed and --all.');
  return given.failed ? 'FAILED' : given.everything ? 'ALL' : 'MISSING';
}

function describePreview({ count, isExact }: EventReplayPreview): string {
  if (!isExact) return `${count} or more deliveries`;
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

const events = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`;

function follow(context: Context, started: EventReplay): Promise<EventReplay> {
  const { client, cleanupClient } = context;
  return followJob(context, started, {
    read: ({ id }) => client.eventReplays.get(id),
    cancel: ({ id }) => cleanupClient.eventReplays.cancel(id),
    describe: ({ sent, checked, total }) => `Sent ${sent}, looked at ${checked} of ${events(total)}`,
  });
}

function report({ out }: Context, ended: EventReplay): void {
  const { id, sent, checked, total, status, skipped, error } = ended;
  if (status === 'FAILED') {
    if (out.isJson) out.value(ended, '');
    const message = `The event replay ${id} failed after it looked at ${checked} of ${events(total)}.`;
    throw new CliError(message, 'job_failed', { reason: error ?? undefined });
  }
  const canceled = status === 'CANCELED' ? ' Somebody canceled it.' : '';
  const result = `Sent ${sent} of ${events(checked)} that it looked at.${canceled}`;
  // What is on its way, or no longer stored, needs nothing.
  if (skipped.disabled + skipped.deleted === 0) {
    out.done(ended, result);
    return;
  }
  if (out.isJson) out.value(ended, '');
  const reasons = [
    [skipped.disabled, 'the endpoint is paused or disabled'],
    [skipped.deleted, 'the endpoint is deleted'],
  ].flatMap(([number, reason]) => (number === 0 ? [] : [`Skipped ${number}: ${reason}.`]));
  throw new CliError(result, 'deliveries_skipped', { reason: reasons.join(' ') });
}
