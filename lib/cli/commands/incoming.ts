import { CliError, EXIT } from '@/lib/cli/cli-error';
import { followJob } from '@/lib/cli/concurrency/polling';
import type { Context } from '@/lib/cli/context';
import { choice, flag, text, time, yes } from '@/lib/cli/options';
import type { Column } from '@/lib/cli/output/column';
import { formatBody } from '@/lib/cli/output/format-body';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { ProjectOptions } from '@/lib/client';
import type { Delivery } from '@/lib/delivery/schema';
import type { IncomingEvent, IncomingEventDetail, Replay, Source } from '@/lib/incoming/schema';
import { listCommand } from './resource';
import { findSource } from './sources';

/** A page: more destinations than that are rare, and `eds deliveries list` shows all. */
const SHOWN_FORWARDS = 100;
/** One page: a question need not know how many more there are. */
const COUNTED = 100;

const COLUMNS: Column<IncomingEvent>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'SOURCE', value: ({ sourceId }) => sourceId, kind: 'id', spare: 1 },
  { header: 'SIGNATURE', value: signatureState, kind: 'state' },
  { header: 'TYPE', value: ({ contentType }) => contentType },
  { header: 'SIZE', value: ({ size }) => size, kind: 'size' },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

const FIELDS: Column<IncomingEventDetail>[] = [
  ...COLUMNS,
  { header: 'METHOD', value: ({ method }) => method },
  { header: 'QUERY', value: ({ query }) => query },
  { header: 'PROVIDER’S ID', value: ({ providerEventId }) => providerEventId },
];

const FORWARD_COLUMNS: Column<Delivery>[] = [
  { header: 'DELIVERY', value: ({ id }) => id, kind: 'id' },
  { header: 'DESTINATION', value: ({ destinationId }) => destinationId, kind: 'id', spare: 1 },
  { header: 'STATUS', value: ({ status }) => status, kind: 'state' },
  { header: 'ATTEMPTS', value: ({ attemptCount }) => attemptCount, spare: 2 },
  { header: 'RESPONSE', value: ({ lastResponseStatus }) => lastResponseStatus, kind: 'state' },
  { header: 'NEXT ATTEMPT', value: ({ nextAttemptAt }) => nextAttemptAt, kind: 'time', spare: 2 },
  { header: 'ERROR', value: ({ lastError }) => lastError },
];

function signatureState({ verified }: IncomingEvent): string | null {
  if (verified === null) return null;
  return verified ? 'verified' : 'unverified';
}

const listIncoming = listCommand({
  summary: 'List incoming events, newest first.',
  within: 'project',
  options: {
    source: text('--source <id|name>', 'only events from this source'),
    verified: choice(
      '--verified <state>',
      'only events with this signature state (`none`: the source has no signatures)',
      ['true', 'false', 'none'],
    ),
    from: time('--from <time>', 'only events since this time'),
    to: time('--to <time>', 'only events until this time'),
  },
  columns: COLUMNS,
  empty: 'No incoming events.',
  examples: [
    {
      line: 'incoming list --source shop --from 2h',
      does: 'List what the source named shop received in the last two hours.',
    },
    { line: 'incoming list --verified false', does: 'List unverified requests.' },
  ],
  rows: async function* (context, { options: { source, verified, from, to }, page, call }) {
    const sourceId = source === undefined ? undefined : (await findSource(context, source)).id;
    yield* context.client.incomingEvents.list({ ...page, sourceId, verified, from, to }, call);
  },
});

const getIncoming = command({
  name: 'get',
  summary: 'Show an incoming event with its headers, body and deliveries.',
  args: { id: { description: 'ID of the incoming event' } },
  examples: [
    { line: 'incoming get 0198c0de-…', does: 'Show an incoming event.' },
    { line: "incoming get 0198c0de-… --json | jq '.deliveries[].status'", does: 'Get the status of its deliveries.' },
  ],
  run: async (context, { args }) => {
    const { incomingEvents, deliveries } = context.client;
    const project = await context.projectOptions();
    const found = await incomingEvents.get(args.id, project);
    const page = await deliveries.list({ incomingEventId: found.id, limit: SHOWN_FORWARDS }, project);
    if (context.out.isJson) context.out.value({ ...found, deliveries: page.data }, '');
    else await show(context, found, page.data);
  },
});

async function show({ out }: Context, found: IncomingEventDetail, forwards: Delivery[]): Promise<void> {
  const { bold, dim } = out.style;
  out.record(found, FIELDS);
  out.text(`\n${bold('Headers')}`);
  for (const [name, value] of found.headers) out.text(`${dim(`${sanitize(name)}:`)} ${sanitize(value)}`);
  out.text(`\n${bold('Body')}`);
  out.text(formatBody({ text: found.body, base64: found.bodyBase64 }));
  out.text(`\n${bold('Deliveries')}`);
  await out.list(forwards, FORWARD_COLUMNS, { limit: undefined, empty: 'It was not forwarded.' });
}

const showIncomingBody = command({
  name: 'body',
  summary: 'Write the body of an incoming event, byte for byte.',
  details: 'On a terminal, shows indented JSON, text, or a hex dump.',
  args: { id: { description: 'ID of the incoming event' } },
  examples: [
    { line: 'incoming body 0198c0de-… > body.bin', does: 'Save the body.' },
    { line: 'incoming body 0198c0de-… | jq .data', does: 'Read part of it.' },
  ],
  run: async (context, { args }) => {
    const { client, out, terminal } = context;
    const project = await context.projectOptions();
    if (!out.isJson && !terminal.stdout.isTTY) {
      const response = await client.incomingEvents.getBody(args.id, project);
      return out.bytes(new Uint8Array(await response.arrayBuffer()));
    }
    const { id, contentType, size, body, bodyBase64 } = await client.incomingEvents.get(args.id, project);
    out.value({ id, contentType, size, body, bodyBase64 }, formatBody({ text: body, base64: bodyBase64 }));
  },
});

const replayIncoming = command({
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
    const { source, from, to, destination } = options;
    if (source !== undefined && args.id === undefined) return await replayMany(context, { ...options, source });
    if (args.id !== undefined && source === undefined && from === undefined && to === undefined) {
      return await replayOne(context, args.id, destination);
    }
    throw new CliError({
      message: 'Give the ID of one incoming event, or --source.',
      reason: '--from and --to need --source.',
      code: 'usage',
      exitCode: EXIT.usage,
    });
  },
});

async function replayOne(context: Context, id: string, destinationId: string | undefined): Promise<void> {
  const { incomingEvents } = context.client;
  const replayed = await incomingEvents.replay(id, { destinationId }, await context.projectOptions());
  const count = replayed.deliveryIds.length;
  context.out.done(replayed, `Queued ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`);
  if (count === 0) context.out.note('The source has no enabled destination.');
}

interface Wanted {
  source: string;
  from: Date | undefined;
  to: Date | undefined;
  destination: string | undefined;
  wait: boolean;
  yes: boolean;
}

/** Forwards the incoming events of a source and a time again, and shows how far the server is. */
async function replayMany(context: Context, wanted: Wanted): Promise<void> {
  const source = await findSource(context, wanted.source);
  const project = await context.projectOptions();
  if (!wanted.yes) await context.confirm(await questionFor(context, source, wanted, project), false);
  const { from, to, destination: destinationId } = wanted;
  const { replays } = context.client;
  const body = { sourceId: source.id, destinationId, from: from?.toISOString(), to: to?.toISOString() };
  const started = await replays.create(body, project);
  if (!wanted.wait) return context.out.done(started, `Started the replay ${started.id} of ${started.total}.`);
  const ended = await followJob(context, started, {
    read: () => replays.get(started.id, project),
    cancel: () => replays.cancel(started.id, { projectId: project.projectId }),
    describe: ({ replayed, total }) => `Queued ${replayed} of ${total} incoming events`,
  });
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

function failed({ id, replayed, total, error }: Replay): CliError {
  return new CliError({
    message: `The replay ${id} failed after ${replayed} of ${total} incoming events.`,
    reason: error ?? undefined,
    code: 'replay_failed',
    exitCode: EXIT.failure,
  });
}

export const incoming: GroupSpec = {
  name: 'incoming',
  summary: 'View and replay incoming events.',
  commands: [listIncoming, getIncoming, showIncomingBody, replayIncoming],
};
