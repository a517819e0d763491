import type { Pool } from 'undici';
import type { AcceptedEvent } from './paced-sender';

const BODY = '{"type":"order.paid","data":{"orderId":"ord_8f2c1","amount":4200,"currency":"EUR"}}';

export interface PostedEvent {
  status: number;
  /** Null unless the status is 202. */
  accepted: AcceptedEvent | null;
}

/** Sends one event over HTTP. */
export async function postEvent(pool: Pool, key: string): Promise<PostedEvent> {
  const now = () => performance.timeOrigin + performance.now();
  const firstAt = now();
  const response = await pool.request({
    method: 'POST',
    path: '/api/v1/events',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: BODY,
  });
  const acceptedAt = now();
  const { id } = (await response.body.json()) as { id: string };
  const status = response.statusCode;
  return { status, accepted: status === 202 ? [id, firstAt, acceptedAt, 1] : null };
}
