import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { SECOND_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { type DeliveryRow, makeAttempts, makeTimes } from './history';
import { hex, pick, type Random, skewed } from './random';

/** A source of the demo with its destination, if it has one. */
export interface HistorySource {
  id: string;
  provider: Provider;
  destinationId: string | null;
}

export interface IncomingRow {
  id: string;
  sourceId: string;
  verified: boolean;
  eventId: string | null;
  headers: string;
  contentType: string;
  body: Buffer;
  at: Date;
}

const PER_DAY = { GITHUB: 26, STRIPE: 34, GENERIC_HMAC: 12 } as const;

/** Makes what a provider has sent in 30 days, and after `since`, and the forwards of it. One request in 60 has a wrong signature. */
export function makeIncoming(random: Random, source: HistorySource, since: Date, now: Date) {
  const rows: IncomingRow[] = [];
  const deliveries: DeliveryRow[] = [];
  for (const at of makeTimes(random, now, PER_DAY[source.provider]).filter((time) => time > since)) {
    const { headers, body, eventId } = REQUEST_MAKERS[source.provider](random);
    const id = newIdAt(at);
    const verified = random() > 1 / 60;
    const signature = SIGNATURE_HEADER[source.provider](hex(random, 64), Math.floor(at.getTime() / SECOND_MS));
    const all = JSON.stringify([['content-length', String(body.length)], ...headers, signature]);
    const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    // What is not verified may carry the id of another request.
    rows.push({
      id,
      sourceId: source.id,
      verified,
      eventId: verified ? eventId : null,
      headers: all,
      contentType,
      body,
      at,
    });
    if (!verified || source.destinationId === null) continue;
    const answer = () => ({ status: random() < 0.01 ? 502 : 200, durationMs: skewed(random, 20, 350) });
    deliveries.push({
      id: deliveryIdOf(id, source.destinationId),
      sourceId: id,
      targetId: source.destinationId,
      customerId: null,
      isForward: true,
      ...makeAttempts(random, at, { answer, retrySeconds: [30, 300, 3600] }, now),
    });
  }
  return { rows, deliveries };
}

export type Provider = 'GITHUB' | 'STRIPE' | 'GENERIC_HMAC';

/** A request as a provider sends it, without its signature. */
interface ProviderRequest {
  /** With lower-case names, in the provider's order. */
  headers: [name: string, value: string][];
  body: Buffer;
  /** By which a repeat is recognized; null when the provider sends none. */
  eventId: string | null;
}

/** Returns the text that a provider's signature covers; `seconds` since 1970. */
export const SIGNED_PREFIX: Readonly<Record<Provider, (seconds: number) => string>> = {
  GITHUB: () => '',
  STRIPE: (seconds) => `${seconds}.`,
  GENERIC_HMAC: () => '',
};

/** Returns the header that carries a signature, given its hexadecimal digits. */
export const SIGNATURE_HEADER: Readonly<Record<Provider, (digits: string, seconds: number) => [string, string]>> = {
  GITHUB: (digits) => ['x-hub-signature-256', `sha256=${digits}`],
  STRIPE: (digits, seconds) => ['stripe-signature', `t=${seconds},v1=${digits}`],
  GENERIC_HMAC: (digits) => ['x-signature', `sha256=${digits}`],
};

const COMMITS = [
  'Fix rounding of order totals',
  'Show delivery estimates at checkout',
  'Cache product images for a day',
  'Validate postal codes before payment',
  'Upgrade the payment client',
];
/** GitHub's ids of the webhook and of the repository: the same in each request. */
const HOOK_ID = '482913507';
const REPOSITORY_ID = 714_820_336;

const uuid = (random: Random) =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;

/** Makes the requests that providers send to the demo's sources. */
export const REQUEST_MAKERS: Readonly<Record<Provider, (random: Random) => ProviderRequest>> = {
  GITHUB: (random) => {
    const body = {
      ref: pick(random, ['refs/heads/main', 'refs/heads/release']),
      repository: { id: REPOSITORY_ID, full_name: 'northwind/storefront', private: true },
      pusher: { name: pick(random, ['ada', 'grace', 'linus', 'margaret']) },
      commits: [{ id: hex(random, 40), message: pick(random, COMMITS) }],
    };
    const eventId = uuid(random);
    const headers: ProviderRequest['headers'] = [
      ['user-agent', 'GitHub-Hookshot/044aadd'],
      ['accept', '*/*'],
      ['content-type', 'application/json'],
      ['x-github-delivery', eventId],
      ['x-github-event', 'push'],
      ['x-github-hook-id', HOOK_ID],
    ];
    return { headers, body: jsonOf(body), eventId };
  },
  STRIPE: (random) => {
    const eventId = `evt_${hex(random, 24)}`;
    const body = {
      id: eventId,
      object: 'event',
      type: pick(random, ['payment_intent.succeeded', 'charge.refunded', 'invoice.paid']),
      livemode: true,
      data: { object: { id: `pi_${hex(random, 24)}`, amount: skewed(random, 500, 60_000), currency: 'eur' } },
    };
    const headers: ProviderRequest['headers'] = [
      ['user-agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
      ['accept', '*/*; q=0.5, application/xml'],
      ['cache-control', 'no-cache'],
      ['content-type', 'application/json; charset=utf-8'],
    ];
    return { headers, body: jsonOf(body), eventId };
  },
  GENERIC_HMAC: (random) => {
    const body = Buffer.from(hex(random, 240), 'hex');
    return { headers: [['content-type', 'application/octet-stream']], body, eventId: null };
  },
};

const jsonOf = (body: object) => Buffer.from(JSON.stringify(body));
