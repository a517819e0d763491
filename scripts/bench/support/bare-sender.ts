import { Pool } from 'undici';
import { makeEndpointSecret, signingKey } from '@/lib/delivery/endpoint-secret';
import { signWebhook } from '@/lib/delivery/signature';
import { newId } from '@/lib/platform/ids';

/**
 * The upper bound for delivery: undici sends signed messages of the same size to the same receiver and reads the responses,
 * without a database.
 *
 * @returns messages per second
 */
export async function sendBare(port: number, body: Buffer, count: number, concurrency: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency });
  const key = signingKey(makeEndpointSecret());
  let left = count;
  const sendOn = async () => {
    while (left-- > 0) {
      const [id, timestamp] = [newId(), Math.floor(Date.now() / 1000)];
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook([key], id, timestamp, body),
      };
      const response = await pool.request({ path: '/hook', method: 'POST', headers, body });
      await response.body.text();
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sendOn));
  const perSecond = count / ((performance.now() - started) / 1000);
  await pool.destroy();
  return perSecond;
}
