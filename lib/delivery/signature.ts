import { createHmac } from 'node:crypto';

/**
 * Value of the header webhook-signature (Standard Webhooks 1.0): HMAC-SHA-256 over `id.timestamp.body`, one `v1,…` for
 * each key, separated by spaces, so that a receiver verifies with the old or the new secret while one is rotated.
 *
 * @param timestampSeconds time of this attempt, as in the header webhook-timestamp
 */
export function signWebhook(keys: readonly Buffer[], id: string, timestampSeconds: number, body: Buffer): string {
  const start = `${id}.${timestampSeconds}.`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`).join(' ');
}
