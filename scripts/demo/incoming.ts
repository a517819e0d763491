import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { newIdAt } from '@/lib/platform/ids';
import { type DeliveryRow, makeAttempts, makeTimes } from './history';
import { hex, pick, type Random, skewed } from './random';

/** A source of the demo with its destination, if it has one. */
export interface HistorySource {
  id: string;
  provider: 'GITHUB' | 'STRIPE' | 'GENERIC_HMAC';
  destinationId: string | null;
}

export interface IncomingRow {
  id: string;
  sourceId: string;
  verified: boolean;
  headers: string;
  contentType: string;
  body: Buffer;
  at: Date;
}

const PER_DAY = { GITHUB: 26, STRIPE: 34, GENERIC_HMAC: 12 } as const;

interface Made {
  contentType: string;
  headers: [string, string][];
  body: Buffer;
}

const MAKERS: Record<HistorySource['provider'], (random: Random, at: Date) => Made> = {
  GITHUB: (random) => {
    const body = {
      ref: pick(random, ['refs/heads/main', 'refs/heads/release']),
      repository: { full_name: 'northwind/storefront', private: true },
      pusher: { name: pick(random, ['ada', 'grace', 'linus']) },
      commits: [{ id: hex(random, 40), message: pick(random, ['Fix the rounding of totals', 'Add a size']) }],
    };
    return {
      contentType: 'application/json',
      headers: [
        ['User-Agent', 'GitHub-Hookshot/044aadd'],
        ['X-GitHub-Event', 'push'],
        ['X-Hub-Signature-256', `sha256=${hex(random, 64)}`],
      ],
      body: Buffer.from(JSON.stringify(body)),
    };
  },
  STRIPE: (random, at) => {
    const body = {
      id: `evt_${hex(random, 24)}`,
      type: pick(random, ['payment_intent.succeeded', 'charge.refunded', 'invoice.paid']),
      data: { object: { id: `pi_${hex(random, 24)}`, amount: skewed(random, 500, 60_000), currency: 'eur' } },
    };
    return {
      contentType: 'application/json; charset=utf-8',
      headers: [
        ['User-Agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
        ['Stripe-Signature', `t=${Math.floor(at.getTime() / 1000)},v1=${hex(random, 64)}`],
      ],
      body: Buffer.from(JSON.stringify(body)),
    };
  },
  GENERIC_HMAC: (random) => ({
    contentType: 'application/octet-stream',
    headers: [['X-Signature', `sha256=${hex(random, 64)}`]],
    body: Buffer.from(hex(random, 240), 'hex'),
  }),
};

/** Makes what a provider has sent in 30 days, and the forwards of it. One request in 60 has a wrong signature. */
export function makeIncoming(random: Random, source: HistorySource, now: Date) {
  const rows: IncomingRow[] = [];
  const deliveries: DeliveryRow[] = [];
  for (const at of makeTimes(random, now, PER_DAY[source.provider])) {
    const { contentType, headers, body } = MAKERS[source.provider](random, at);
    const [id, verified] = [newIdAt(at), random() > 1 / 60];
    const all = [['Content-Type', contentType], ['Content-Length', String(body.length)], ...headers];
    rows.push({ id, sourceId: source.id, verified, headers: JSON.stringify(all), contentType, body, at });
    if (!verified || source.destinationId === null) continue;
    const answer = () => ({ status: random() < 0.01 ? 502 : 200, durationMs: skewed(random, 20, 350) });
    deliveries.push({
      ...{ id: deliveryIdOf(id, source.destinationId), sourceId: id, targetId: source.destinationId, isForward: true },
      ...makeAttempts(random, at, { answer, retrySeconds: [30, 300, 3600] }, now),
    });
  }
  return { rows, deliveries };
}
