import { createHmac } from 'node:crypto';

/**
 * Returns the value of the header webhook-signature (Standard Webhooks 1.0): an HMAC-SHA-256 of `id.timestamp.body`, one `v1,…`
 * for each key, separated by spaces. During a rotation a receiver can verify with the old or the new secret.
 *
 * @param timestampSeconds the time of this attempt, as in the header webhook-timestamp
 */
export function signWebhook(keys: readonly Buffer[], id: string, timestampSeconds: number, body: Buffer): string {
  const start = `${id}.${timestampSeconds}.`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`).join(' ');
}
