import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { SECOND_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { type DeliveryRow, makeAttempts, makeTimes } from './history';
import { type Provider, REQUEST_MAKERS, SIGNATURE_HEADER } from './provider-requests';
import { hex, type Random, skewed } from './random';

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
    const [id, verified] = [newIdAt(at), random() > 1 / 60];
    const signature = SIGNATURE_HEADER[source.provider](hex(random, 64), Math.floor(at.getTime() / SECOND_MS));
    const all = JSON.stringify([['content-length', String(body.length)], ...headers, signature]);
    const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
    // What is not verified may carry the id of another request.
    rows.push({
      ...{ id, sourceId: source.id, verified, eventId: verified ? eventId : null, headers: all, contentType, body, at },
    });
    if (!verified || source.destinationId === null) continue;
    const answer = () => ({ status: random() < 0.01 ? 502 : 200, durationMs: skewed(random, 20, 350) });
    deliveries.push({
      ...{ id: deliveryIdOf(id, source.destinationId), sourceId: id, targetId: source.destinationId, isForward: true },
      ...makeAttempts(random, at, { answer, retrySeconds: [30, 300, 3600] }, now),
    });
  }
  return { rows, deliveries };
}
