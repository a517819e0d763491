import { randomBytes } from 'node:crypto';
import { addMs, DAY_MS, systemClock } from '@/lib/platform/clock';
import type { Api, SignedIn } from './account';
import { CUSTOMER_RECEIVERS, CUSTOMERS } from './customers';
import { EVENT_TYPES } from './event-types';
import type { HistoryTarget } from './history';
import type { HistorySource } from './incoming';
import { DOROTHY, KATHERINE } from './people';
import { makeRandom } from './random';
import { RECEIVERS, type Receiver } from './receivers';
import type { SeedTargets } from './seed';

interface Named {
  id: string;
  name?: string;
  description?: string;
  url: string;
  email?: string;
}

/** A project with what its history is about. */
export interface Workspace extends SeedTargets {
  /** URLs of the sources, by provider. */
  sourceUrls: Record<HistorySource['provider'], string>;
}

const ALERT_TRIGGERS = ['ENDPOINT_FAILING', 'ENDPOINT_RECOVERED', 'BACKLOG', 'SOURCE_REJECTING', 'KEY_EXPIRING'];

const SOURCES = [
  { name: 'GitHub', provider: 'GITHUB', destination: { path: '/ci', description: 'CI pipeline' } },
  { name: 'Stripe', provider: 'STRIPE', destination: { path: '/accounting', description: 'Accounting' } },
  { name: 'Warehouse scanner', provider: 'GENERIC_HMAC', destination: null },
] as const;

/**
 * Creates the project of the demo with its endpoints, keys, sources, tunnels and invitations, or finds what an earlier run has
 * created.
 * @param receiver `host:port` of the receiver
 */
export async function makeWorkspace(api: Api, account: SignedIn, receiver: string): Promise<Workspace> {
  const { token, organizationId, userId } = account;
  const make = new Maker(api, token);
  const project = await make.named(`/orgs/${organizationId}/projects`, 'name', { name: 'Storefront' });
  const base = `/projects/${project.id}`;
  await make.named(`${base}/api-keys`, 'name', { name: 'Storefront server' });
  const inFiveDays = addMs(systemClock(), 5 * DAY_MS).toISOString();
  await make.named(`${base}/api-keys`, 'name', { name: 'Reporting', scope: 'READ_ONLY', expiresAt: inFiveDays });
  await makeCatalogue(make, base);
  const alert = { name: 'On call', kind: 'EMAIL', target: account.email, triggers: ALERT_TRIGGERS };
  await make.named(`${base}/alerts`, 'name', alert);
  const customers = new Map<string, string>();
  for (const { weight: _, ...body } of CUSTOMERS) customers.set(body.uid, await make.customer(base, body));
  const targets: HistoryTarget[] = [];
  for (const each of [...RECEIVERS, ...CUSTOMER_RECEIVERS]) {
    const id = await make.endpoint(base, receiver, each);
    targets.push({ id, receiver: each, customerId: customers.get(each.customer ?? '') ?? null });
  }
  const { sources, sourceUrls } = await makeSources(make, base, receiver);
  const tunnel = await make.named(`${base}/tunnels`, 'name', { name: 'ada-laptop' });
  await makeTestEndpoint(make, base);
  for (const [email, role] of [
    [KATHERINE, 'DEVELOPER'],
    [DOROTHY, 'VIEWER'],
  ] as const) {
    await make.named(`/orgs/${organizationId}/invitations`, 'email', { email, role });
  }
  return {
    organizationId,
    userId,
    projectId: project.id,
    tunnelId: tunnel.id,
    customers,
    targets,
    sources,
    sourceUrls,
    remoteAddress: receiver,
  };
}

/** Defines event types before the first event is sent: in a later run they are there. */
async function makeCatalogue(make: Maker, base: string): Promise<void> {
  for (const [name, { defined, makeData }] of Object.entries(EVENT_TYPES)) {
    if (defined === undefined) continue;
    const example = defined.schema === undefined ? undefined : makeData(makeRandom(1));
    await make.named(`${base}/event-types`, 'name', { name, ...defined, example });
  }
}

async function makeSources(make: Maker, base: string, receiver: string) {
  const sources: HistorySource[] = [];
  const sourceUrls = {} as Workspace['sourceUrls'];
  for (const { name, provider, destination } of SOURCES) {
    // Stripe generates the secret of a webhook.
    const secret = provider === 'STRIPE' ? { secret: `whsec_${randomBytes(24).toString('hex')}` } : {};
    const prefix = provider === 'GENERIC_HMAC' ? { signaturePrefix: 'sha256=' } : {};
    const source = await make.named(`${base}/sources`, 'name', { name, provider, ...secret, ...prefix });
    sourceUrls[provider] = source.url;
    const path = `${base}/sources/${source.id}/destinations`;
    const destinationId = destination === null ? null : await make.destination(path, receiver, destination);
    sources.push({ id: source.id, provider, destinationId });
  }
  return { sources, sourceUrls };
}

/** An endpoint without a server: its events are shown on the page of its test receiver. */
async function makeTestEndpoint(make: Maker, base: string): Promise<void> {
  const receiver = await make.named(`${base}/tunnels`, 'name', {
    name: 'Test receiver',
    testResponse: { status: 200 },
  });
  const body = { url: receiver.url, description: 'Test receiver' };
  const endpoint = await make.named(`${base}/endpoints`, 'description', body);
  await make.subscriptions(base, endpoint.id, ['customer.*']);
}

/** Creates what does not exist yet. */
class Maker {
  constructor(
    private readonly api: Api,
    private readonly token: string,
  ) {}

  /** Returns the first resource of a list whose `by` equals that of the body, or creates it. */
  async named(path: string, by: 'name' | 'description' | 'email', body: object): Promise<Named> {
    const { data } = await this.api.call<{ data: Named[] }>('GET', `${path}?limit=100`, { token: this.token });
    const wanted = (body as Record<string, unknown>)[by];
    return data.find((each) => each[by] === wanted) ?? this.api.call<Named>('POST', path, { token: this.token, body });
  }

  async change(path: string, body: object): Promise<void> {
    await this.api.call('PATCH', path, { token: this.token, body });
  }

  async destination(path: string, host: string, to: { path: string; description: string }): Promise<string> {
    const url = `http://${host}${to.path}`;
    const made = await this.named(path, 'description', { url, description: to.description, signing: true });
    // The receiver has another port than in an earlier run.
    if (made.url !== url) await this.change(`${path}/${made.id}`, { url });
    return made.id;
  }

  /** Creates a customer, unless there is one with its uid. */
  async customer(base: string, body: { uid: string }): Promise<string> {
    return (await this.api.call<Named>('POST', `${base}/customers`, { token: this.token, body })).id;
  }

  async endpoint(base: string, host: string, receiver: Receiver): Promise<string> {
    const { description, path, types, retrySeconds, customer, options } = receiver;
    const url = `http://${host}${path}`;
    const body = { url, description, retrySeconds, customer, ...options };
    const endpoint = await this.named(`${base}/endpoints`, 'description', body);
    if (endpoint.url !== url) await this.change(`${base}/endpoints/${endpoint.id}`, { url });
    await this.subscriptions(base, endpoint.id, types);
    return endpoint.id;
  }

  async subscriptions(base: string, endpointId: string, types: readonly string[]): Promise<void> {
    const path = `${base}/subscriptions`;
    const found = await this.api.call<{ data: { eventType: string }[] }>(
      ...(['GET', `${path}?endpointId=${endpointId}&limit=100`, { token: this.token }] as const),
    );
    for (const eventType of types) {
      if (found.data.some((each) => each.eventType === eventType)) continue;
      await this.api.call('POST', path, { token: this.token, body: { endpointId, eventType } });
    }
  }
}
