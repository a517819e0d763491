import { createHmac } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Customer } from '@/lib/customers/schema';
import { type BulkRetry, Delivery, Endpoint, EventDetail, type Subscription } from '@/lib/delivery/schema';
import { EventListItem } from '@/lib/events/schema';
import type { Outage, OutageList } from '@/lib/stats/schema';
import { useEds } from '@/tests/cli/eds';
import { useStubServer } from '@/tests/cli/stub-server';
import { COMMANDS } from './commands';
import { describeCommands } from './describe-commands';
import { runCommandLine } from './main';

// The documentation shows these files below the commands. `npx vitest run --project unit lib/cli/output-samples.test.ts -u` writes them.

const server = useStubServer();
const eds = useEds(server.url);

const SERVER = 'https://events.example.com';
const PROJECT = '/api/v1/projects/0197b6a0-1c52-7d3e-9a41-5b7f20c8e611';
const ENDPOINT_ID = '0197b6a0-2f10-7a3b-8c1d-4e9a6b2f7d05';
const OTHER_ID = '0197b6a0-2f11-7b4c-9d2e-5fab7c3a8e16';
const EVENT_ID = '0197b6a4-7f3c-7c55-a1b2-c3d4e5f60718';

/** Ages of minutes and more: they stay the same while a test runs. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000 - 10_000).toISOString();
/** A time that is shown with its age, which differs in each run. */
const SHOWN_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z \((?:now|\d+\w ago)\)/g;
const list = (...data: object[]) => ({ data, nextCursor: null });

const endpoint = (id = ENDPOINT_ID, url = 'https://shop.example.com/hooks') =>
  Endpoint.parse({
    id,
    uid: null,
    url,
    description: null,
    metadata: {},
    headers: {},
    signature: { profile: 'STANDARD' },
    bodyFormat: 'ENVELOPE',
    filter: null,
    rateLimit: null,
    customerId: null,
    customerUid: null,
    receivesCustomerEvents: false,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    pauseReason: null,
    failingSince: null,
    retrySeconds: [],
    createdAt: ago(0),
    updatedAt: ago(0),
  });

const delivery = (id: string, change: Partial<Delivery> = {}) =>
  Delivery.parse({
    id,
    status: 'SUCCEEDED',
    eventId: EVENT_ID,
    incomingEventId: null,
    eventType: 'order.paid',
    endpointId: ENDPOINT_ID,
    destinationId: null,
    targetUrl: 'https://shop.example.com/hooks',
    sourceId: null,
    attemptCount: 1,
    storedAttempts: 1,
    nextAttemptAt: null,
    lastAttemptAt: ago(1),
    lastResponseStatus: 200,
    lastError: null,
    completedAt: ago(1),
    createdAt: ago(3),
    ...change,
  });

const FAILED: Partial<Delivery> = { status: 'FAILED', attemptCount: 10 };
const deliveries = [
  delivery('0197b6a4-7f40-7d66-b2c3-d4e5f6071829', { ...FAILED, lastResponseStatus: 503, createdAt: ago(1260) }),
  delivery('0197b6a3-11aa-7e77-83d4-e5f60718293a', {
    ...FAILED,
    lastResponseStatus: null,
    lastError: 'no response within 15 s',
    eventType: 'order.created',
    createdAt: ago(2520),
  }),
  delivery('0197b6a2-90bb-7f88-94e5-f60718293a4b', {
    ...FAILED,
    endpointId: OTHER_ID,
    lastResponseStatus: 404,
    eventType: 'user.created',
    createdAt: ago(5700),
  }),
];

const event = (id: string, type: string, ageSeconds: number, counts: Partial<EventListItem['deliveries']>) =>
  EventListItem.parse({
    id,
    type,
    createdAt: ago(ageSeconds),
    idempotencyKey: null,
    apiKeyId: null,
    clientAddress: null,
    customerId: null,
    customerUid: null,
    fanOutStatus: 'COMPLETED',
    deliveries: { pending: 0, queued: 0, retrying: 0, succeeded: 0, failed: 0, ...counts },
  });

/** Runs a command line at a terminal. @returns what a person sees, with the server of the documentation */
async function print(...args: string[]): Promise<string> {
  let text = '';
  const stream = {
    write: (chunk: string | Uint8Array) => {
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    },
    flush: async () => undefined,
    isTTY: true,
    columns: 120,
  };
  const env = { NODE_ENV: 'production' as const, NO_COLOR: '1', TERM: 'dumb', CI: '1', EDS_API_KEY: 'eds_sample' };
  const login = args[0] === 'login' ? { EDS_API_KEY: '' } : {};
  const terminal = {
    stdout: stream,
    stderr: stream,
    stdin: Object.assign(Readable.from([]), { isTTY: false }) as unknown as NodeJS.ReadStream,
    env: { ...env, ...login, EDS_CONFIG_DIR: eds.folder, EDS_API_URL: server.url() },
    platform: process.platform,
    hostName: 'laptop',
  };
  const code = await runCommandLine(args, terminal, new AbortController().signal);
  expect(code, text).toBe(0);
  return text.replaceAll(server.url(), SERVER).replace(SHOWN_TIME, '2026-11-27T09:05:07.412Z (2s ago)');
}

function answer(): void {
  const project = { id: PROJECT.slice(-36), name: 'My shop' };
  server.onJson('/api/v1/key', { id: OTHER_ID, name: 'laptop', scope: 'READ_WRITE', project });
  server.onJson(`${PROJECT}/endpoints`, list(endpoint(), endpoint(OTHER_ID, 'https://crm.example.com/in')));
  server.onJson(`${PROJECT}/deliveries`, list(...deliveries));
}

const file = (name: string) => `./output-samples/${name.replaceAll(' ', '.')}.txt`;

it('has a sample only of commands', () => {
  const names = describeCommands(COMMANDS).flatMap(({ commands }) => commands.map(({ name }) => name));
  const samples = readdirSync('lib/cli/output-samples').map((name) => name.replace(/\.txt$/, '').replaceAll('.', ' '));
  expect(samples.length).toBeGreaterThanOrEqual(10);
  expect(samples.filter((name) => !names.includes(name))).toEqual([]);
});

it('shows what eds login prints', async () => {
  const verificationUri = `${SERVER}/device`;
  const codes = {
    deviceCode: 'code',
    userCode: 'BCDF-GHJK',
    verificationUri,
    verificationUriComplete: verificationUri,
  };
  server.onJson('/api/v1/auth/device/code', { ...codes, expiresIn: 600, interval: 1 });
  const session = {
    accessToken: 'access',
    expiresIn: 900,
    refreshToken: 'refresh',
    user: { email: 'ada@example.com' },
  };
  server.onJson('/api/v1/auth/device/token', { ...session, organization: { id: OTHER_ID, name: 'Acme' } });
  const printed = await print('login', '--no-browser');
  await expect(`$ eds login --url ${SERVER}\n${printed}`).toMatchFileSnapshot(file('login'));
});

it('shows what eds send prints', async () => {
  answer();
  const sent = { id: EVENT_ID, type: 'order.paid', createdAt: ago(3) };
  server.onJson('/api/v1/events', sent, 202);
  const detail = EventDetail.parse({
    ...event(EVENT_ID, 'order.paid', 3, {}),
    deliveries: [delivery(deliveries[0]?.id ?? ''), delivery(deliveries[1]?.id ?? '', { endpointId: OTHER_ID })],
    data: { orderId: 'ord_1042' },
  });
  server.onJson(`${PROJECT}/events/${EVENT_ID}`, detail);
  const data = '{"orderId": "ord_1042"}';
  const printed = await print('send', 'order.paid', '-d', data, '--wait');
  await expect(`$ eds send order.paid -d '${data}' --wait\n${printed}`).toMatchFileSnapshot(file('send'));
});

it('shows what eds verify prints', async () => {
  const key = Buffer.alloc(24, 7);
  const seconds = Math.floor(Date.now() / 1000);
  const body = '{"type":"order.paid","timestamp":"2026-11-27T09:05:07Z","data":{"orderId":"ord_1042"}}';
  const signature = createHmac('sha256', key).update(`${EVENT_ID}.${seconds}.${body}`).digest('base64');
  const headers = `webhook-id: ${EVENT_ID}\nwebhook-timestamp: ${seconds}\nwebhook-signature: v1,${signature}\n`;
  const contents = { 'body.json': body, 'headers.txt': headers, 'secret.txt': `whsec_${key.toString('base64')}` };
  for (const [name, content] of Object.entries(contents)) writeFileSync(path.join(eds.folder, name), content);
  const at = (name: string) => path.join(eds.folder, name);
  const printed = await print(
    'verify',
    `@${at('body.json')}`,
    '-H',
    `@${at('headers.txt')}`,
    '--secret-file',
    at('secret.txt'),
  );
  const line = '$ eds verify @body.json -H @headers.txt --secret-file secret.txt';
  await expect(`${line}\n${printed}`).toMatchFileSnapshot(file('verify'));
});

it('shows what eds events list prints', async () => {
  answer();
  const rows = [
    event(EVENT_ID, 'order.paid', 60, { succeeded: 2 }),
    event('0197b6a4-1e2d-7a11-8b22-9c33ad44be55', 'order.created', 134, { succeeded: 1, retrying: 1 }),
    event('0197b6a2-90b0-7b22-9c33-ad44be55cf66', 'user.created', 2460, { succeeded: 1, failed: 1 }),
  ];
  server.onJson(`${PROJECT}/events`, list(...rows));
  await expect(`$ eds events list --from 1h\n${await print('events', 'list', '--from', '1h')}`).toMatchFileSnapshot(
    file('events list'),
  );
});

it('shows what eds customers get prints', async () => {
  answer();
  const uid = 'cus_8f2c1';
  const customer: Customer = {
    id: OTHER_ID,
    uid,
    name: 'Acme Inc.',
    metadata: { plan: 'pro' },
    endpointCount: 1,
    createdAt: ago(0),
    updatedAt: ago(0),
  };
  server.onJson(`${PROJECT}/customers/${uid}`, customer);
  server.onJson(`${PROJECT}/endpoints`, list({ ...endpoint(), customerId: OTHER_ID, customerUid: uid }));
  await expect(`$ eds customers get ${uid}\n${await print('customers', 'get', uid)}`).toMatchFileSnapshot(
    file('customers get'),
  );
});

it('shows what eds endpoints create prints', async () => {
  answer();
  server.onJson(`${PROJECT}/endpoints`, endpoint(), 201);
  const subscription: Partial<Subscription> = { id: OTHER_ID, endpointId: ENDPOINT_ID, eventType: 'order.*' };
  server.onJson(`${PROJECT}/subscriptions`, list(subscription));
  const printed = await print('endpoints', 'create', 'https://shop.example.com/hooks', '--event', 'order.*');
  const line = "$ eds endpoints create https://shop.example.com/hooks --event 'order.*'";
  await expect(`${line}\n${printed}`).toMatchFileSnapshot(file('endpoints create'));
});

it('shows what eds endpoints outages prints', async () => {
  answer();
  const outages: OutageList = {
    data: [
      { from: ago(6 * 3600), to: ago(4 * 3600), undelivered: 214, undeliveredIsAtLeast: false, nextAttemptAt: null },
      { from: ago(50 * 3600), to: ago(49 * 3600), undelivered: 0, undeliveredIsAtLeast: false, nextAttemptAt: null },
    ],
    waiting: { count: 10, countIsAtLeast: false, outsideOutages: 10, nextAttemptAt: ago(-300) },
  };
  server.onJson(`${PROJECT}/endpoints/${ENDPOINT_ID}/outages`, outages);
  const [{ from, to }] = outages.data as [Outage];
  const printed = (await print('endpoints', 'outages', ENDPOINT_ID))
    .replace(from, '2026-11-27T03:02:00.000Z')
    .replace(to ?? '', '2026-11-27T05:01:00.000Z');
  await expect(`$ eds endpoints outages ${ENDPOINT_ID}\n${printed}`).toMatchFileSnapshot(file('endpoints outages'));
});

it('shows what eds deliveries list prints', async () => {
  answer();
  const printed = await print('deliveries', 'list', '--status', 'failed', '--from', '2h');
  await expect(`$ eds deliveries list --status failed --from 2h\n${printed}`).toMatchFileSnapshot(
    file('deliveries list'),
  );
});

it('shows what eds deliveries retry prints', async () => {
  answer();
  server.onJson(`${PROJECT}/delivery-count`, { count: 214, isExact: true });
  const retried: BulkRetry = {
    id: OTHER_ID,
    status: 'COMPLETED',
    filter: { endpointId: ENDPOINT_ID },
    total: 214,
    retried: 214,
    skipped: { pending: 0, disabled: 0, deleted: 0, gone: 0 },
    failedTries: 0,
    error: null,
    createdAt: ago(2),
    completedAt: ago(0),
  };
  server.onJson(`${PROJECT}/bulk-retries`, retried, 202);
  const printed = await print(
    'deliveries',
    'retry',
    '--all-failed',
    '--endpoint',
    ENDPOINT_ID,
    '--from',
    '6h',
    '--yes',
  );
  const line = `$ eds deliveries retry --all-failed --endpoint ${ENDPOINT_ID} --from 6h --yes`;
  await expect(`${line}\n${printed}`).toMatchFileSnapshot(file('deliveries retry'));
});
