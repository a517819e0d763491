import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { readJsonArgument } from '@/lib/cli/input/read-input';
import { flag, retrySeconds, text, texts, yes } from '@/lib/cli/options';
import { type Column, formatDuration } from '@/lib/cli/output/column';
import { Details } from '@/lib/cli/output/details';
import { Progress } from '@/lib/cli/output/progress';
import { sanitize } from '@/lib/cli/output/sanitize';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { ProjectOptions } from '@/lib/client';
import type { Delivery, Endpoint, Subscription, TestResult } from '@/lib/delivery/schema';
import { EVENT_DELIVERY_COLUMNS } from './deliveries/delivery-rows';
import { describeTiming, headerText } from './deliveries/show-attempts';
import { deleteCommand, listCommand } from './resource';
import { ENDPOINT_SUBSCRIPTION_COLUMNS } from './subscriptions';

/** Recent deliveries that `eds endpoints get` shows. */
const RECENT = 5;

const ID = { id: { description: 'ID of the endpoint' } };

const COLUMNS: Column<Endpoint>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'SINCE', value: sinceOf, kind: 'time', spare: 1 },
  { header: 'URL', value: ({ url }) => url, kind: 'url' },
  { header: 'DESCRIPTION', value: ({ description }) => description, spare: 2 },
];

const FIELDS: Column<Endpoint>[] = [
  { header: 'STATE', value: stateOf, kind: 'state' },
  { header: 'SINCE', value: sinceOf, kind: 'time' },
  { header: 'REASON', value: reasonOf },
  { header: 'URL', value: ({ url }) => url },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'RETRY SECONDS', value: ({ retrySeconds }) => retrySeconds.join(', ') },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  { header: 'ID', value: ({ id }) => id },
];

/** The deliveries of one endpoint need no target. */
const DELIVERY_COLUMNS: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id, kind: 'id' },
  ...(EVENT_DELIVERY_COLUMNS.filter(({ header }) => !['ID', 'TARGET'].includes(header)) as Column<Delivery>[]),
  { header: 'EVENT', value: ({ eventType }) => eventType },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
];

const TEST_FIELDS: Column<TestResult>[] = [
  { header: 'RESULT', value: ({ succeeded }) => (succeeded ? 'delivered' : 'failed'), kind: 'state' },
  { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
  { header: 'ERROR', value: ({ error }) => error },
  { header: 'DURATION', value: ({ durationMs }) => formatDuration(durationMs) },
  { header: 'TIMING', value: ({ timing }) => describeTiming(timing) },
  { header: 'REMOTE ADDRESS', value: ({ remoteAddress }) => remoteAddress },
];

/** Whether an endpoint gets events, and whether they arrive. */
function stateOf({ enabled, failingSince }: Endpoint): 'enabled' | 'failing' | 'disabled' {
  if (!enabled) return 'disabled';
  return failingSince === null ? 'enabled' : 'failing';
}

/** Since when it is disabled or failing. */
function sinceOf({ disabledAt, failingSince }: Endpoint): string | null {
  return disabledAt ?? failingSince;
}

/** Why the service or a person disabled it. */
function reasonOf({ disabledReason, pauseReason }: Endpoint): string | null {
  const reasons: Record<string, string> = {
    gone: 'The receiver responded with 410 Gone.',
    failing: 'Every attempt in the last 120 hours failed.',
  };
  return disabledReason === null ? pauseReason : (reasons[disabledReason] ?? disabledReason);
}

const listEndpoints = listCommand({
  summary: 'List the endpoints of the project.',
  within: 'project',
  columns: COLUMNS,
  empty: `No endpoints yet. Create one: eds endpoints create <url> --event '*'`,
  examples: [
    { line: 'endpoints list', does: 'Show where events go and whether they arrive.' },
    { line: `endpoints list --all --json | jq '.[] | select(.failingSince)'`, does: 'Get those that are failing.' },
  ],
  rows: ({ client }, { page, call }) => client.endpoints.list(page, call),
});

const getEndpoint = command({
  name: 'get',
  summary: 'Show an endpoint with its state, subscriptions and recent deliveries.',
  args: ID,
  examples: [{ line: 'endpoints get 0197b6a0-…', does: 'Check whether an endpoint works.' }],
  run: async (context, { args }) => {
    const { client, out, terminal } = context;
    const project = await context.projectOptions();
    const endpoint = await client.endpoints.get(args.id, project);
    const [subscriptions, recentDeliveries] = await Promise.all([
      client.subscriptions.list({ endpointId: endpoint.id, limit: 100 }, project).then(({ data }) => data),
      client.deliveries.list({ endpointId: endpoint.id, limit: RECENT }, project).then(({ data }) => data),
    ]);
    if (out.isJson) return out.value({ ...endpoint, subscriptions, recentDeliveries }, '');
    const details = new Details(terminal, out.style);
    details.fields(endpoint, FIELDS);
    details.table('SUBSCRIPTIONS', 'subscription', subscriptions, ENDPOINT_SUBSCRIPTION_COLUMNS);
    if (subscriptions.length === 0)
      out.note(`None. It receives no events: eds subscriptions create ${endpoint.id} '*'`);
    details.table('RECENT DELIVERIES', 'delivery', recentDeliveries, DELIVERY_COLUMNS);
    if (recentDeliveries.length === 0) out.note('None yet.');
    if (!endpoint.enabled) out.hint(`Enable it: eds endpoints enable ${endpoint.id}`);
  },
});

const createEndpoint = command({
  name: 'create',
  summary: 'Create an endpoint, a URL that receives events.',
  details: 'With `--event`, also creates the subscriptions. If one can’t be created, neither is the endpoint.',
  args: { url: { description: 'where events are sent' } },
  options: {
    event: texts(
      '-e, --event <type>',
      'type of event to subscribe to, such as `order.paid`, `order.*` or `*` (repeatable)',
    ),
    description: text('--description <text>', 'what the endpoint is for'),
    retrySeconds,
    disabled: flag('--disabled', 'start disabled'),
  },
  examples: [
    {
      line: `endpoints create https://example.com/hooks --event 'order.*'`,
      does: 'Send it all events that start with order.',
    },
    {
      line: 'endpoints create https://example.com/hooks -e order.paid -e user.created',
      does: 'Subscribe to two types.',
    },
  ],
  run: async (context, { args, options }) => {
    const { client, out } = context;
    const project = await context.projectOptions();
    const { description, retrySeconds } = options;
    const body = { url: args.url, description, retrySeconds, enabled: !options.disabled };
    const endpoint = await client.endpoints.create(body, project);
    const subscriptions = await subscribe(context, project, endpoint, options.event);
    const types = subscriptions.map(({ eventType }) => sanitize(eventType)).join(', ');
    out.done({ ...endpoint, subscriptions }, `Created the endpoint ${endpoint.id} for ${endpoint.url}.`);
    if (out.isJson) return;
    if (types === '') out.note(`It receives no events yet. Subscribe it: eds subscriptions create ${endpoint.id} '*'`);
    else out.note(` It receives ${types}.`);
    out.hint(`  Show its signing secret: eds endpoints secret ${endpoint.id}`);
    out.hint(`  Send it a test event:    eds endpoints test ${endpoint.id}`);
  },
});

/** Creates the subscriptions, or removes the endpoint again: the next try would create a second one. */
async function subscribe(
  { client, out }: Context,
  project: ProjectOptions,
  { id }: Endpoint,
  eventTypes: string[],
): Promise<Subscription[]> {
  const created: Subscription[] = [];
  try {
    for (const eventType of new Set(eventTypes)) {
      created.push(await client.subscriptions.create({ endpointId: id, eventType }, project));
    }
    return created;
  } catch (error) {
    // Without the signal: Ctrl-C must not keep half of it.
    await client.endpoints.remove(id, { projectId: project.projectId }).catch(() => {
      out.note(
        `The endpoint ${id} was created without all of its subscriptions. Delete it: eds endpoints delete ${id}`,
      );
    });
    throw error;
  }
}

const updateEndpoint = command({
  name: 'update',
  summary: 'Change the URL, the description or the retries of an endpoint.',
  args: ID,
  options: {
    url: text('--url <url>', 'where events are sent'),
    description: text('--description <text>', 'what the endpoint is for; empty removes it'),
    retrySeconds,
  },
  examples: [
    { line: 'endpoints update 0197b6a0-… --url https://example.com/v2/hooks', does: 'Move an endpoint.' },
    { line: 'endpoints update 0197b6a0-… --retry-seconds 5,60,3600', does: 'Give it its own retry schedule.' },
  ],
  run: async (context, { args, options }) => {
    const { url, description, retrySeconds } = options;
    const body = { url, description: description === '' ? null : description, retrySeconds };
    if (Object.values(body).every((value) => value === undefined)) {
      throw usageError('Give what to change: --url, --description or --retry-seconds.');
    }
    const updated = await context.client.endpoints.update(args.id, body, await context.projectOptions());
    context.out.done(updated, `Changed the endpoint ${updated.id} (${updated.url}).`);
  },
});

const enableEndpoint = command({
  name: 'enable',
  summary: 'Enable an endpoint. It receives new events again.',
  args: ID,
  examples: [{ line: 'endpoints enable 0197b6a0-…', does: 'Resume deliveries after fixing the receiver.' }],
  run: async (context, { args }) => {
    const { client, out } = context;
    const updated = await client.endpoints.update(args.id, { enabled: true }, await context.projectOptions());
    out.done(updated, `Enabled the endpoint ${updated.id} (${updated.url}).`);
    out.hint(`Retry what failed: eds deliveries retry --all-failed --endpoint ${updated.id}`);
  },
});

const disableEndpoint = command({
  name: 'disable',
  summary: 'Disable an endpoint. It receives no new events, and its pending deliveries fail when they come due.',
  args: ID,
  options: { reason: text('--reason <text>', 'why, for your colleagues') },
  examples: [
    { line: `endpoints disable 0197b6a0-… --reason 'Moving data centers'`, does: 'Stop deliveries to a receiver.' },
  ],
  run: async (context, { args, options }) => {
    const body = { enabled: false, pauseReason: options.reason };
    const updated = await context.client.endpoints.update(args.id, body, await context.projectOptions());
    context.out.done(updated, `Disabled the endpoint ${updated.id} (${updated.url}).`);
  },
});

const testEndpoint = command({
  name: 'test',
  summary: 'Send a signed test event to an endpoint now, and show its response. Exit 1 if it fails.',
  details: 'The event is neither stored nor retried. You can also test a disabled endpoint.',
  args: ID,
  options: {
    type: text('--type <type>', 'type of the test event (default `endpoint.test`)'),
    data: text('-d, --data <json|@file|->', 'data of the test event, a JSON object (default: a short message)'),
  },
  examples: [
    { line: 'endpoints test 0197b6a0-…', does: 'Check that a receiver answers.' },
    { line: `endpoints test 0197b6a0-… --type order.paid -d '{"orderId": 42}'`, does: 'Test with your own event.' },
  ],
  run: async (context, { args, options: { type, data } }) => {
    const { client, out, terminal } = context;
    const project = await context.projectOptions();
    const what = { option: '--data', what: 'the data of the event' };
    const event = {
      ...(type === undefined ? {} : { type }),
      ...(data === undefined ? {} : { data: { ...(await readJsonArgument(terminal, data, what)) } }),
    };
    const progress = new Progress(terminal);
    progress.show('Waiting for the response…');
    const result = await client.endpoints.test(args.id, event, project).finally(() => progress.clear());
    if (out.isJson) out.value(result, '');
    else showTest(context, result);
    if (result.succeeded) return;
    const reason = result.error ?? undefined;
    throw new CliError({ message: 'The test failed.', reason, code: 'test_failed', exitCode: EXIT.failure });
  },
});

function showTest({ terminal, out }: Context, result: TestResult): void {
  const details = new Details(terminal, out.style);
  details.fields(result, TEST_FIELDS);
  if (result.responseHeaders !== null) details.text('HEADERS', 'header', headerText(result.responseHeaders));
  if (result.responseBody !== null) details.text('RESPONSE', 'response', result.responseBody);
}

const showSecret = command({
  name: 'secret',
  summary: 'Show the secret that signs requests to an endpoint.',
  details: 'Writes only the secret to standard output. This is recorded in the audit log.',
  args: ID,
  examples: [
    { line: 'endpoints secret 0197b6a0-…', does: 'Show the secret.' },
    {
      line: 'endpoints secret 0197b6a0-… | gh secret set WEBHOOK_SECRET',
      does: 'Pass it to another program without showing it.',
    },
  ],
  run: async (context, { args }) => {
    const { client, out } = context;
    const found = await client.endpoints.getSecret(args.id, await context.projectOptions());
    out.value(found, found.secret);
    const { previousSecretExpiresAt } = found;
    if (previousSecretExpiresAt !== null) out.hint(`The one before it is valid until ${previousSecretExpiresAt}.`);
  },
});

const rotateSecret = command({
  name: 'rotate-secret',
  summary: 'Rotate an endpoint’s signing secret. The old one stays valid for 24 hours.',
  details:
    'Until then, requests carry both signatures. A secret from before an earlier rotation stops working immediately.',
  args: ID,
  options: { yes },
  examples: [
    {
      line: 'endpoints rotate-secret 0197b6a0-…',
      does: 'Rotate a secret. Show the new one with eds endpoints secret.',
    },
  ],
  run: async (context, { args, options }) => {
    const { client, out } = context;
    const project = await context.projectOptions();
    const { id, url } = await client.endpoints.get(args.id, project);
    await context.confirm(`Replace the signing secret of ${url}?`, options.yes);
    const { previousSecretExpiresAt } = await client.endpoints.rotateSecret(id, project);
    out.done({ id, previousSecretExpiresAt }, `Replaced the signing secret of the endpoint ${id}.`);
    if (out.isJson) return;
    if (previousSecretExpiresAt !== null) out.note(`  The old one is valid until ${previousSecretExpiresAt}.`);
    out.note(`  Show the new one: eds endpoints secret ${id}`);
  },
});

const deleteEndpoint = deleteCommand({
  summary: 'Delete an endpoint with its subscriptions and secrets. Its deliveries are kept.',
  args: ID,
  examples: [{ line: 'endpoints delete 0197b6a0-… --yes', does: 'Delete an endpoint without confirmation.' }],
  find: ({ client }, { id }, project) => client.endpoints.get(id, project),
  question: ({ url }) => `Delete the endpoint ${url} with its subscriptions?`,
  remove: (client, { id }, project) => client.endpoints.remove(id, project),
  done: ({ url }) => `Deleted the endpoint ${url}.`,
});

export const endpoints: GroupSpec = {
  name: 'endpoints',
  summary: 'Create, test and change the URLs that receive events.',
  commands: [
    ...[listEndpoints, getEndpoint, createEndpoint, updateEndpoint, enableEndpoint, disableEndpoint, testEndpoint],
    ...[showSecret, rotateSecret, deleteEndpoint],
  ],
};
