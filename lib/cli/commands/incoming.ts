import { CliError, usageError } from '@/lib/cli/cli-error';
import { followJob } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { flag, text, time, yes } from '@/lib/cli/options';
import { columns, MATCH } from '@/lib/cli/output/column';
import { formatBody } from '@/lib/cli/output/format-body';
import { route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail, IncomingEventListItem, Source } from '@/lib/incoming/schema';
import { findSource } from './sources';

/** A page: more destinations than that are rare, and `eds deliveries list` shows all. */
const SHOWN_FORWARDS = 100;
/** One page: a question need not know how many more there are. */
const COUNTED = 100;

const COLUMNS = columns<IncomingEvent>(
  'id',
  { header: 'SOURCE', value: ({ sourceId }) => sourceId, kind: 'id', spare: 1 },
  { header: 'TYPE', value: ({ eventType }) => eventType },
  { header: 'SIGNATURE', value: signatureState, kind: 'state' },
  { header: 'CONTENT TYPE', value: ({ contentType }) => contentType, spare: 2 },
  'size',
  'createdAt',
);

const FIELDS = columns<IncomingEventDetail>(...COLUMNS, 'method', 'query', {
  header: 'PROVIDER’S ID',
  value: ({ providerEventId }) => providerEventId,
});

const FORWARD_COLUMNS = columns<Delivery>(
  { header: 'DELIVERY', value: ({ id }) => id, kind: 'id' },
  { header: 'DESTINATION', value: ({ destinationId }) => destinationId, kind: 'id', spare: 1 },
  'status',
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 2 },
  { header: 'RESPONSE', value: ({ lastResponseStatus }) => lastResponseStatus, kind: 'state' },
  { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', spare: 2 },
  { header: 'ERROR', value: ({ lastError }) => lastError },
);

function signatureState({ verified }: IncomingEvent): string | null {
  if (verified === null) return null;
  return verified ? 'verified' : 'unverified';
}

/** Returns the body for a terminal. One over 512 KiB says how to get the rest. */
function shownBody({ id, body, bodyBase64, bodyTruncated }: IncomingEventDetail): string {
  const shown = formatBody({ text: body, base64: bodyBase64 });
  return bodyTruncated ? `${shown}\n… the first 512 KiB. All of it: eds incoming body ${id} > body.bin` : shown;
}

async function show({ out }: Context, found: IncomingEventDetail, forwards: Delivery[]): Promise<void> {
  out.record(found, FIELDS);
  out.headers('Headers', found.headers);
  out.heading('Body');
  out.text(shownBody(found));
  out.heading('Deliveries');
  await out.list(forwards, FORWARD_COLUMNS, { limit: undefined, empty: 'It was not forwarded.' });
}

interface Wanted {
  source: string;
  from: Date | undefined;
  to: Date | undefined;
  destinationId: string | undefined;
  wait: boolean;
  yes: boolean;
}

async function replayOne({ client, out }: Context, id: string, destinationId: string | undefined): Promise<void> {
  const replayed = await client.incomingEvents.replay(id, { destinationId });
  const count = replayed.deliveryIds.length;
  const queued = `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} queued`;
  out.done(replayed, `Replayed the incoming event ${id}; ${queued}.`);
  if (count === 0) out.note('The source has no enabled destination.');
}

/** Replays the incoming events of a source and a time, and shows how far the server is. */
async function replayMany(context: Context, wanted: Wanted): Promise<void> {
  const { client, out } = context;
  const source = await findSource(context, wanted);
  if (!wanted.yes) await context.confirm(await questionFor(context, source, wanted), false);
  const { from, to, destinationId } = wanted;
  const body = { sourceId: source.id, destinationId, from: from?.toISOString(), to: to?.toISOString() };
  const started = await client.replays.create(body);
  if (!wanted.wait) return out.done(started, `Started the replay ${started.id} of ${started.total}.`);
  const ended = await followJob(context, started, {
    read: ({ id }) => client.replays.get(id),
    cancel: ({ id }) => context.cleanupClient.replays.cancel(id),
    describe: ({ replayed, total }) => `Replayed ${replayed} of ${total} incoming events`,
  });
  const { id, replayed, total, error, status } = ended;
  if (status === 'FAILED') {
    const message = `The replay ${id} failed after ${replayed} of ${total} incoming events.`;
    throw new CliError(message, 'replay_failed', { reason: error ?? undefined });
  }
  const canceled = status === 'CANCELED' ? ' It was canceled.' : '';
  out.done(ended, `Replayed ${replayed} of ${total} incoming events.${canceled}`);
}

async function questionFor({ client }: Context, { id, name }: Source, { from, to }: Wanted): Promise<string> {
  const page = await client.incomingEvents.list({ sourceId: id, from, to, limit: COUNTED });
  const count = page.data.filter(({ verified }) => verified !== false).length;
  const many = page.nextCursor === null ? `${count}` : `more than ${count}`;
  const since = from === undefined ? '' : ` since ${from.toISOString()}`;
  return `Replay ${many} incoming events from ${name}${since}?`;
}

const ID = { id: { description: 'ID of the incoming event' } };

export const incoming: GroupSpec = {
  summary: 'View and replay incoming events.',
  commands: {
    list: route('incomingEvents.list', {
      summary: 'List incoming events, newest first.',
      columns: columns<IncomingEventListItem>(...COLUMNS, MATCH),
      empty: 'No incoming events.',
      examples: {
        'incoming list --source shop --from 2h': 'List what the source named shop received in the last two hours.',
        'incoming list --event-type invoice.paid': 'List the events of one type.',
        'incoming list --verified false': 'List unverified requests.',
      },
    }),
    get: command({
      operations: ['incomingEvents.get'],
      summary: 'Show an incoming event with its headers, body and deliveries.',
      args: ID,
      examples: {
        'incoming get 0198c0de-…': 'Show an incoming event.',
        "incoming get 0198c0de-… --json | jq '.deliveries[].status'": 'Get the status of its deliveries.',
      },
      run: async (context, { args }) => {
        const { client, out } = context;
        const found = await client.incomingEvents.get(args.id);
        const { data } = await client.deliveries.list({ incomingEventId: found.id, limit: SHOWN_FORWARDS });
        if (out.isJson) out.value({ ...found, deliveries: data }, '');
        else await show(context, found, data);
      },
    }),
    body: command({
      operations: ['incomingEvents.getBody'],
      summary: 'Write the body of an incoming event, byte for byte.',
      details: 'On a terminal, shows indented JSON, text, or a hex dump.',
      args: ID,
      examples: {
        'incoming body 0198c0de-… > body.bin': 'Save the body.',
        'incoming body 0198c0de-… | jq .data': 'Read part of it.',
      },
      run: async ({ client, out, terminal }, { args }) => {
        if (!out.isJson && !terminal.stdout.isTTY) {
          const response = await client.incomingEvents.getBody(args.id);
          return out.bytes(new Uint8Array(await response.arrayBuffer()));
        }
        const found = await client.incomingEvents.get(args.id);
        const { id, contentType, size, body, bodyBase64, bodyTruncated } = found;
        out.value({ id, contentType, size, body, bodyBase64, bodyTruncated }, shownBody(found));
      },
    }),
    replay: command({
      operations: ['incomingEvents.replay', 'replays.create'],
      summary: 'Replay an incoming event, or those of a source: forward them again.',
      details:
        'Unverified requests are never replayed. Ctrl-C cancels the replay of a source, but queued deliveries are still sent.',
      args: { id: { ...ID.id, isOptional: true } },
      options: {
        source: text('--source <id|name>', 'replay all incoming events of this source'),
        from: time('--from <time>', 'with `--source`, only events since this time'),
        to: time('--to <time>', 'with `--source`, only events until this time'),
        destinationId: text('--destination <id>', 'only to this destination (default: every enabled destination)'),
        wait: flag('--no-wait', 'with `--source`, don’t wait until all are queued'),
        yes,
      },
      examples: {
        'incoming replay 0198c0de-…': 'Replay one event.',
        'incoming replay --source shop --from 2h --yes': 'Replay the last two hours.',
      },
      run: async (context, { args: { id }, options }) => {
        const { source, from, to, destinationId } = options;
        if (source !== undefined && id === undefined) return await replayMany(context, { ...options, source });
        if (id !== undefined && source === undefined && from === undefined && to === undefined) {
          return await replayOne(context, id, destinationId);
        }
        throw usageError(
          'Give the ID of one incoming event, or --source.',
          undefined,
          '--from and --to need --source.',
        );
      },
    }),
  },
};
