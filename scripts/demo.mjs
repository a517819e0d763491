// Fills a running instance with sample data through the API: `npm run demo [-- http://localhost:3000]`.
// It receives the events itself on a loopback port, so the instance must be allowed to deliver to loopback addresses.
// It is while APP_BASE_URL is a loopback address.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillTunnel } from './demo/fill-tunnel.mjs';
import { DESTINATION_ANSWERS, makeSources, sendIncomingEvents } from './demo/incoming-events.mjs';

const BASE_URL = (process.argv[2] ?? process.env.EDS_API_URL ?? 'http://localhost:3000').replace(/\/$/, '');
const EVENTS = 240;
/** After so many events each source gets one. */
const EVENTS_PER_ROUND = 15;

const ENDPOINTS = [
  {
    path: '/billing',
    description: 'Billing: books every payment',
    types: ['invoice.*', 'order.paid'],
    answer: () => 200,
  },
  { path: '/warehouse', description: 'Warehouse: picks and ships', types: ['order.*'], answer: () => 204 },
  {
    path: '/crm',
    description: 'CRM sync, now and then busy',
    types: ['customer.*', 'order.paid'],
    answer: () => (Math.random() < 0.3 ? 503 : 200),
  },
  { path: '/legacy', description: 'Legacy importer (retired, still configured)', types: ['*'], answer: () => 500 },
];

const pick = (values) => values[Math.floor(Math.random() * values.length)];
const id = (prefix) => `${prefix}_${randomBytes(6).toString('hex')}`;
const cents = () => 500 + Math.floor(Math.random() * 40_000);
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF'];

const MAKERS = {
  'order.created': () => ({ orderId: id('ord'), customerId: id('cus'), total: cents(), currency: pick(CURRENCIES) }),
  'order.paid': () => ({ orderId: id('ord'), paymentId: id('pay'), amount: cents(), currency: pick(CURRENCIES) }),
  'order.shipped': () => ({ orderId: id('ord'), carrier: pick(['DHL', 'UPS', 'La Poste']), parcels: 1 }),
  'order.item.returned': () => ({
    orderId: id('ord'),
    sku: id('sku'),
    reason: pick(['size', 'damaged', 'changed mind']),
  }),
  'customer.created': () => ({ customerId: id('cus'), plan: pick(['free', 'team', 'business']) }),
  'customer.plan.changed': () => ({ customerId: id('cus'), from: 'team', to: pick(['business', 'free']) }),
  'invoice.finalized': () => ({ invoiceId: id('inv'), amount: cents(), currency: pick(CURRENCIES) }),
};

/** Calls the API. @throws Error with the code and detail of the problem document */
async function call(method, path, { token, key, body } = {}) {
  const response = await fetch(`${BASE_URL}/api/v1${path}`, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'X-API-Key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.code}: ${answer.detail}`);
  return answer;
}

function startReceiver() {
  const server = createServer((request, response) => {
    const answer = ENDPOINTS.find(({ path }) => path === request.url)?.answer ?? DESTINATION_ANSWERS[request.url];
    request.resume().on('end', () => {
      const status = answer?.() ?? 404;
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(status === 204 ? undefined : JSON.stringify(status < 300 ? { received: true } : { error: 'busy' }));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function signUp() {
  const account = {
    email: `demo-${Date.now().toString(36)}@example.com`,
    password: randomBytes(9).toString('base64url'),
  };
  const body = { ...account, name: 'Ada Demo', organizationName: 'Northwind Demo' };
  const { accessToken, organization } = await call('POST', '/auth/register', { body });
  return { account, token: accessToken, organizationId: organization.id };
}

/** Requests to the tunnel: [method, path, data]. The receiver answers them like deliveries. */
const TUNNEL_REQUESTS = () => [
  ['POST', 'warehouse', MAKERS['order.created']()],
  ['POST', 'billing', MAKERS['order.paid']()],
  ['POST', 'legacy', MAKERS['order.paid']()],
  ['GET', 'health', undefined],
];

async function main() {
  const receiver = await startReceiver();
  const { account, token, organizationId } = await signUp();
  const project = await call('POST', `/orgs/${organizationId}/projects`, { token, body: { name: 'Storefront' } });
  const base = `/projects/${project.id}`;
  const { key } = await call('POST', `${base}/api-keys`, { token, body: { name: 'storefront-server' } });
  const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await call('POST', `${base}/api-keys`, {
    token,
    body: { name: 'reporting', scope: 'READ_ONLY', expiresAt: nextMonth },
  });
  const receiverUrl = `http://127.0.0.1:${receiver.address().port}`;
  for (const { path, description, types } of ENDPOINTS) {
    const url = receiverUrl + path;
    const endpoint = await call('POST', `${base}/endpoints`, { token, body: { url, description } });
    for (const eventType of types) {
      await call('POST', `${base}/subscriptions`, { token, body: { endpointId: endpoint.id, eventType } });
    }
  }
  const sources = await makeSources((method, path, body) => call(method, path, { token, body }), base, receiverUrl);
  await fillTunnel({ url: BASE_URL, key, port: receiver.address().port, requests: TUNNEL_REQUESTS() });
  for (let sent = 0; sent < EVENTS; sent++) {
    const type = pick(Object.keys(MAKERS));
    await call('POST', '/events', { key, body: { type, data: MAKERS[type]() } });
    if (sent % EVENTS_PER_ROUND === 0) await sendIncomingEvents(sources, sent / EVENTS_PER_ROUND);
    if (sent % 20 === 0) process.stdout.write(`\r${sent} of ${EVENTS} events sent`);
    await sleep(10);
  }
  await sleep(8_000);
  receiver.close();
  receiver.closeAllConnections();
  process.stdout.write(`\r${EVENTS} events sent. Sign in:\n\n`);
  process.stdout.write(`  ${BASE_URL}/login\n  email     ${account.email}\n  password  ${account.password}\n\n`);
}

await main().catch((error) => {
  const reason =
    error.cause?.code === 'ECONNREFUSED' ? `nothing listens at ${BASE_URL}; run npm start first` : error.message;
  process.stderr.write(`demo: ${reason}\n`);
  process.exit(1);
});
