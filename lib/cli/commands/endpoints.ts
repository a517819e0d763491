import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { readJsonArgument } from '@/lib/cli/input/read-input';
import { text, texts } from '@/lib/cli/options';
import { type Column, CUSTOMER, columns, formatDuration } from '@/lib/cli/output/column';
import { Progress } from '@/lib/cli/output/progress';
import { route } from '@/lib/cli/routes/route-command';
import { endpointIdOf } from '@/lib/cli/session/choose';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { isApiError } from '@/lib/client';
import type { ListRequest } from '@/lib/client/list-request';
import { describeFilter, describeReasons } from '@/lib/delivery/filters/filter-policy';
import type { Delivery, Endpoint, EndpointListItem, FilterTest, TestResult, TriedEvent } from '@/lib/delivery/schema';
import { describeMetadata } from '@/lib/platform/metadata-policy';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import type { EndpointHealth } from '@/lib/stats/schema';
import { EVENT_DELIVERY_COLUMNS } from './deliveries/delivery-rows';
import { describeTiming, headerText } from './deliveries/show-attempts';
import { showOutages } from './outages';
import { ENDPOINT_SUBSCRIPTION_COLUMNS } from './subscriptions';
import { TARGET_REASON, TARGET_SINCE, TARGET_STATE } from './target-state';

/** Recent deliveries that `eds endpoints get` shows. */
const RECENT = 5;

const ID = { id: { description: 'ID or uid of the endpoint' } };

const LAST_DELIVERY: Column<EndpointListItem> = {
  header: 'LAST EVENT',
  value: ({ lastDeliveryAt }) => lastDeliveryAt,
  kind: 'time',
  spare: 3,
};
const EVENTS: Column<EndpointListItem> = {
  header: 'EVENTS',
  value: ({ eventTypes, eventTypeCount }) =>
    eventTypeCount === 0
      ? 'none'
      : `${eventTypes.join(', ')}${eventTypeCount > eventTypes.length ? `, and ${eventTypeCount - eventTypes.length} more` : ''}`,
  spare: 4,
};

/** An endpoint with the attempts of its last 24 hours. */
interface MeasuredEndpoint extends EndpointListItem {
  health?: EndpointHealth | undefined;
}

const SUCCESS: Column<MeasuredEndpoint> = {
  header: 'SUCCESS',
  value: ({ health }) => health && formatShare(health.attempts),
};
const P95: Column<MeasuredEndpoint> = {
  header: 'P95',
  value: ({ health }) => health?.attemptDuration && formatDuration(health.attemptDuration.p95Ms),
};

/** @returns the share of attempts that succeeded, rounded down, so that 100% means all of them; undefined without attempts */
function formatShare({ succeeded, failed }: EndpointHealth['attempts']): string | undefined {
  const total = succeeded + failed;
  return total === 0 ? undefined : `${Math.floor((succeeded / total) * 1000) / 10}%`;
}

/** Adds their health to the rows of a list, with one request for each page. As JSON they stay what the API returns. */
async function* withHealth({ client, out }: Context, rows: ListRequest<EndpointListItem>) {
  for await (const { data } of rows.pages()) {
    if (out.isJson || data.length === 0) yield* data as MeasuredEndpoint[];
    else {
      const endpointIds = data.map(({ id }) => id).join(',');
      const health = new Map(
        (await client.stats.listEndpointHealth({ endpointIds })).data.map((each) => [each.endpointId, each]),
      );
      for (const endpoint of data) yield { ...endpoint, health: health.get(endpoint.id) };
    }
  }
}

const FIELDS = columns<Endpoint>(
  TARGET_STATE,
  TARGET_SINCE,
  TARGET_REASON,
  'url',
  'description',
  'uid',
  CUSTOMER,
  { header: 'CUSTOMER EVENTS', value: ({ receivesCustomerEvents }) => (receivesCustomerEvents ? 'received' : '') },
  { header: 'HEADERS', value: ({ headers }) => Object.keys(headers).join(', ') },
  { header: 'SIGNATURE', value: ({ signature }) => (signature.profile === 'STANDARD' ? '' : signature.profile) },
  { header: 'BODY', value: ({ bodyFormat }) => (bodyFormat === 'DATA' ? 'data alone' : '') },
  { header: 'FILTER', value: ({ filter }) => (filter === null ? '' : describeFilter(filter)) },
  { header: 'RATE LIMIT', value: ({ rateLimit }) => describeRateLimit(rateLimit) },
  { header: 'METADATA', value: ({ metadata }) => describeMetadata(metadata) },
  { header: 'RETRY SECONDS', value: ({ retrySeconds }) => retrySeconds.join(', ') },
  'createdAt',
  'id',
);

function describeRateLimit(limit: Endpoint['rateLimit']): string {
  return limit === null ? '' : `${limit.requests} in ${limit.seconds} s`;
}

/** The deliveries of one endpoint need no target. */
const DELIVERY_COLUMNS = columns<Delivery>(
  'id',
  ...(EVENT_DELIVERY_COLUMNS.filter(({ header }) => !['ID', 'TARGET'].includes(header)) as Column<Delivery>[]),
  { header: 'EVENT', value: ({ eventType }) => eventType },
  'createdAt',
);

const TEST_FIELDS = columns<TestResult>(
  { header: 'RESULT', value: ({ succeeded }) => (succeeded ? 'delivered' : 'failed'), kind: 'state' },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  'error',
  { header: 'DURATION', value: ({ durationMs }) => formatDuration(durationMs) },
  { header: 'TIMING', value: ({ timing }) => describeTiming(timing) },
  { header: 'REMOTE ADDRESS', value: ({ remoteAddress }) => remoteAddress },
);

const FILTER_TEST_COLUMNS = columns<FilterTest>(
  { header: 'MATCHES', value: ({ matches }) => (matches ? 'yes' : 'no') },
  { header: 'BECAUSE', value: ({ failed }) => describeReasons(failed) },
);

const PREVIEW_COLUMNS = columns<TriedEvent>(
  'id',
  'type',
  { header: 'MATCHES', value: ({ matches }) => (matches ? 'yes' : 'no') },
  { header: 'BECAUSE', value: ({ failed }) => describeReasons(failed) },
  'createdAt',
);

/** Counts the events that an endpoint did not get since a time; null when they cannot be counted now. */
async function countMissed({ client }: Context, endpointId: string, from: string) {
  const counted = await client.eventReplays.create({ endpointId, from, dryRun: true }).catch((error: unknown) => {
    // The endpoint is resumed all the same: a count may be under way, or the time be before all stored events.
    if (isApiError(error)) return null;
    throw error;
  });
  return counted !== null && 'count' in counted ? { ...counted, from } : null;
}

export const endpoints: GroupSpec = {
  summary: 'Create, test and change the URLs that receive events.',
  commands: {
    list: route('endpoints.list', {
      rows: withHealth,
      columns: columns<MeasuredEndpoint>(
        'id',
        TARGET_STATE,
        { ...TARGET_SINCE, spare: 1 },
        'url',
        SUCCESS,
        P95,
        'description:2',
        LAST_DELIVERY,
        EVENTS,
        CUSTOMER,
      ),
      empty: `No endpoints yet. Create one: eds endpoints create <url> --event '*'`,
      examples: {
        'endpoints list': 'Show where events go and whether they arrive.',
        'endpoints list --state failing': 'Get those that are failing.',
        'endpoints list --state unsubscribed': 'Get those that receive nothing.',
        'endpoints list --sort=-p95 --limit 5': 'Get the slowest ones.',
        'endpoints list --customer cus_8f2c1': 'Get those of a customer.',
      },
    }),
    get: command({
      operations: ['endpoints.get'],
      summary: 'Show an endpoint with its state, subscriptions and recent deliveries.',
      args: ID,
      examples: {
        'endpoints get 0197b6a0-…': 'Check whether an endpoint works.',
        'endpoints get acme-billing': 'Find it by its uid.',
      },
      run: async (context, { args }) => {
        const { client, out } = context;
        const endpoint = await client.endpoints.get(await endpointIdOf(context, args.id));
        const [{ data: subscriptions }, { data: recentDeliveries }] = await Promise.all([
          client.subscriptions.list({ endpointId: endpoint.id, limit: 100 }),
          client.deliveries.list({ endpointId: endpoint.id, limit: RECENT }),
        ]);
        if (out.isJson) return out.value({ ...endpoint, subscriptions, recentDeliveries }, '');
        out.fields(endpoint, FIELDS);
        out.table('SUBSCRIPTIONS', 'subscription', subscriptions, ENDPOINT_SUBSCRIPTION_COLUMNS);
        if (subscriptions.length === 0) {
          out.note(`None. It receives no events: eds subscriptions create ${endpoint.id} '*'`);
        }
        out.table('RECENT DELIVERIES', 'delivery', recentDeliveries, DELIVERY_COLUMNS);
        if (recentDeliveries.length === 0) out.note('None yet.');
        if (!endpoint.enabled) out.hint(`Resume it: eds endpoints resume ${endpoint.id}`);
      },
    }),
    create: route('endpoints.create', {
      summary: 'Create an endpoint, a URL that receives events.',
      details: 'With `--event`, also creates the subscriptions. If one can’t be created, neither is the endpoint.',
      without: ['eventTypes'],
      options: {
        event: texts(
          '-e, --event <type>',
          'type of event to subscribe to, such as `order.paid`, `order.*` or `*` (repeatable)',
        ),
        eventTypes: text('--event-types <list>', 'the same, separated by commas'),
      },
      examples: {
        "endpoints create https://example.com/hooks --event 'order.*'": 'Send it all events that start with order.',
        'endpoints create https://example.com/hooks --event-types order.paid,user.created': 'Subscribe to two types.',
        "endpoints create https://example.com/hooks --event '*' --customer cus_8f2c1": 'Give a customer an endpoint.',
      },
      call: async ({ client }, { options: { event, eventTypes = '' }, send }) => {
        const listed = eventTypes.split(/[\s,]+/).filter((type) => type !== '');
        const endpoint = await send({ eventTypes: [...new Set([...event, ...listed])] });
        const { data } = await client.subscriptions.list({ endpointId: endpoint.id, limit: 100 });
        return { ...endpoint, subscriptions: data.reverse() };
      },
      done: ({ id, url }) => `Created the endpoint ${id} for ${url}.`,
      after: ({ out }, { id, subscriptions, customerUid }) => {
        if (customerUid !== null) out.note(`  It is an endpoint of the customer ${customerUid}.`);
        const types = subscriptions.map(({ eventType }) => sanitize(eventType)).join(', ');
        if (types === '') out.note(`It receives no events yet. Subscribe it: eds subscriptions create ${id} '*'`);
        else out.note(`  It receives ${types}.`);
        out.hint(`  Show its signing secret: eds endpoints secret ${id}`);
        out.hint(`  Send it a test event:    eds endpoints test ${id}`);
      },
    }),
    update: route('endpoints.update', {
      summary: 'Change the URL, the description or the retries of an endpoint.',
      examples: {
        'endpoints update 0197b6a0-… --url https://example.com/v2/hooks': 'Move an endpoint.',
        'endpoints update 0197b6a0-… --retry-seconds 5,60,3600': 'Give it its own retry schedule.',
      },
      done: ({ id, url }) => `Changed the endpoint ${id} (${url}).`,
    }),
    pause: route('endpoints.update', {
      summary: 'Pause an endpoint. It receives no new events, and its pending deliveries fail when they come due.',
      fields: ['pauseReason'],
      oldNames: ['disable'],
      examples: {
        "endpoints pause 0197b6a0-… --reason 'Moving data centers'": 'Send nothing to a receiver for a while.',
      },
      call: (_context, { send }) => send({ enabled: false }),
      done: ({ id, url }) =>
        `Paused the endpoint ${id} (${url}). It does not get the events that arrive until it is resumed.`,
      after: ({ out }, { id }) => out.hint(`Resume it: eds endpoints resume ${id}`),
    }),
    resume: route('endpoints.update', {
      summary: 'Resume an endpoint that is paused or disabled. It receives new events again.',
      fields: [],
      oldNames: ['enable'],
      examples: { 'endpoints resume 0197b6a0-…': 'Resume deliveries after fixing the receiver.' },
      // What it missed is counted from the time that resuming clears.
      find: async (context, args) =>
        context.client.endpoints.get(await endpointIdOf(context, args['endpoint-id'] ?? '')),
      call: async (context, { found: { id, disabledAt }, send }) => {
        const endpoint = await send({ enabled: true });
        const missed = disabledAt === null ? null : await countMissed(context, id, disabledAt);
        return { ...endpoint, missed };
      },
      done: ({ id, url }) => `Resumed the endpoint ${id} (${url}).`,
      after: ({ out }, { id, missed }) => {
        if (missed !== null) {
          const { count, isExact, from } = missed;
          const isOne = count === 1 && isExact;
          const events = `${count}${isExact ? '' : ' or more'} ${isOne ? 'event' : 'events'}`;
          out.note(`  ${events} since ${from} ${isOne ? 'was' : 'were'} not sent.`);
          if (count > 0) out.note(`  Send them: eds events replay --endpoint ${id} --from ${from} --missing`);
        }
        out.hint(`  Retry what failed: eds deliveries retry --all-failed --endpoint ${id}`);
      },
    }),
    test: command({
      operations: ['endpoints.test'],
      summary: 'Send a signed test event to an endpoint now, and show its response. Exit 1 if it fails.',
      details: 'The event is neither stored nor retried. You can also test an endpoint that is paused or disabled.',
      args: ID,
      options: {
        type: text('--type <type>', 'type of the test event (default `endpoint.test`)'),
        data: text('-d, --data <json|@file|->', 'data of the test event, a JSON object (default: a short message)'),
      },
      examples: {
        'endpoints test 0197b6a0-…': 'Check that a receiver answers.',
        'endpoints test 0197b6a0-… --type order.paid -d \'{"orderId": 42}\'': 'Test with your own event.',
      },
      run: async (context, { args, options: { type, data } }) => {
        const { client, out, terminal } = context;
        const id = await endpointIdOf(context, args.id);
        const what = { option: '--data', what: 'the data of the event' };
        const given = data === undefined ? undefined : { ...(await readJsonArgument(terminal, data, what)) };
        const progress = new Progress(terminal);
        progress.show('Waiting for the response…');
        const test = client.endpoints.test(id, { type, data: given });
        const result = await test.finally(() => progress.clear());
        if (out.isJson) out.value(result, '');
        else {
          out.fields(result, TEST_FIELDS);
          if (result.responseHeaders !== null) out.block('HEADERS', 'header', headerText(result.responseHeaders));
          if (result.responseBody !== null) out.block('RESPONSE', 'response', result.responseBody);
        }
        if (result.succeeded) return;
        throw new CliError('The test failed.', 'test_failed', { reason: result.error ?? undefined });
      },
    }),
    'test-filter': route('endpoints.testFilter', {
      show: ({ out }, result) => out.record(result, FILTER_TEST_COLUMNS),
    }),
    'preview-filter': route('endpoints.previewFilter', {
      args: [],
      examples: {
        'endpoints preview-filter --filter \'{"path": "data.amount", "op": "gte", "value": 1000}\'':
          'See which of the newest events a filter matches.',
      },
      show: ({ out }, preview) => {
        if (out.isJson) return out.record(preview, []);
        const { checked, matching, events } = preview;
        out.table('NEWEST EVENTS', 'event', events, PREVIEW_COLUMNS);
        out.note(`${matching} of the last ${checked} events match.`);
      },
    }),
    secret: route('endpoints.getSecret', {
      summary: 'Show the secret that signs requests to an endpoint.',
      details: 'Writes only the secret to standard output. This is recorded in the audit log.',
      examples: {
        'endpoints secret 0197b6a0-…': 'Show the secret.',
        'endpoints secret 0197b6a0-… | gh secret set WEBHOOK_SECRET': 'Pass it to another program without showing it.',
      },
      after: ({ out }, { previousSecretExpiresAt: end }) => {
        if (end !== null) out.hint(`The one before it is valid until ${end}.`);
      },
    }),
    'rotate-secret': route('endpoints.rotateSecret', {
      summary: 'Rotate an endpoint’s signing secret. The old one stays valid for a grace period.',
      details:
        'Until then, requests carry both signatures. A secret from before an earlier rotation stops working immediately.',
      examples: {
        'endpoints rotate-secret 0197b6a0-…': 'Rotate a secret. Show the new one with eds endpoints secret.',
      },
      confirm: ({ url }) => `Rotate the signing secret of ${url}?`,
      call: async (_context, { found: { id }, send }) => {
        const { previousSecretExpiresAt } = await send();
        return { id, previousSecretExpiresAt };
      },
      done: ({ id }) => `Rotated the signing secret of the endpoint ${id}.`,
      after: ({ out }, { id, previousSecretExpiresAt: end }) => {
        if (end !== null) out.note(`  The old one is valid until ${end}.`);
        out.note(`  Show the new one: eds endpoints secret ${id}`);
      },
    }),
    'end-previous-secret': route('endpoints.endPreviousSecret', {
      summary: 'End the secret from before the last rotation, before its grace period does.',
      examples: { 'endpoints end-previous-secret 0197b6a0-… --yes': 'Sign with the current secret only.' },
      confirm: ({ url }) => `End the previous signing secret of ${url}?`,
      done: (_result, { url }) => `Ended the previous secret of the endpoint ${url}.`,
    }),
    outages: command({
      operations: ['endpoints.listOutages'],
      summary: 'List the newest outages of an endpoint, and how many deliveries of each have not arrived.',
      args: ID,
      examples: { 'endpoints outages 0197b6a0-…': 'See when the receiver was down, and what to retry.' },
      run: async (context, { args }) => {
        const id = await endpointIdOf(context, args.id);
        await showOutages(context, await context.client.endpoints.listOutages(id), `--endpoint ${id}`);
      },
    }),
    delete: route('endpoints.remove', {
      summary: 'Delete an endpoint with its subscriptions and secrets. Its deliveries are kept.',
      examples: { 'endpoints delete 0197b6a0-… --yes': 'Delete an endpoint without confirmation.' },
      confirm: ({ url }) => `Delete the endpoint ${url} with its subscriptions?`,
      done: (_result, { url }) => `Deleted the endpoint ${url}.`,
    }),
  },
};
