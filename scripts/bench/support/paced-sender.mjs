// Sends events over HTTP at a fixed rate. It is a separate process, so that its CPU does not count as the product's. A message
// starts a run; the reply holds the result of each event.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { atPace } from './pace.mjs';

/** @param {number} bytes at least so many, if not 0 */
const bodyOf = (bytes) => {
  const data = { orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', customer: { id: 'c19', tier: 'gold' } };
  const short = JSON.stringify({ type: 'order.paid', data });
  if (bytes === 0) return short;
  return JSON.stringify({ type: 'order.paid', data: { ...data, note: 'x'.repeat(bytes - short.length) } });
};
const MAX_UNDER_WAY = 20_000;
/** The delay before the first retry doubles with each retry, so that retries add little load. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 8_000;

const now = () => performance.timeOrigin + performance.now();

/** @param {import('./children').Run} run */
async function send(run) {
  const {
    port,
    keys,
    perSecond,
    ms,
    isRetrying = false,
    timeoutMs = 30_000,
    waitMs = 0,
    connections = 16,
    bytes = 0,
    customers = 0,
  } = run;
  const sent = bodyOf(bytes);
  // One after the other would find what the one before has left in a page.
  const sentTo = (/** @type {number} */ index) =>
    customers === 0 ? sent : sent.replace('{', `{"customer":"c${1 + ((index * 7_919) % customers)}",`);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  /** @type {import('./children').RunResult} */
  const result = { accepted: [], refused: {}, unanswered: 0, skipped: 0 };
  const giveUpAt = performance.now() + ms + waitMs;
  let underWay = 0;
  await atPace(perSecond, ms, async (index) => {
    if (underWay >= MAX_UNDER_WAY) {
      result.skipped++;
      return;
    }
    underWay++;
    await sendOne(keys[index % keys.length] ?? '', sentTo(index));
    underWay--;
  });
  await pool.destroy();
  return result;

  /** @param {string} key @param {string} content */
  async function sendOne(key, content) {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    if (isRetrying) headers['idempotency-key'] = randomUUID();
    const firstAt = now();
    for (let tries = 1; ; tries++) {
      const status = await post(headers, content, firstAt, tries).catch((error) => String(error.code ?? error.message));
      if (status === 202) return;
      // A retry would get the same client error.
      if (!isRetrying || (typeof status === 'number' && status < 500 && status !== 429)) {
        result.refused[status] = (result.refused[status] ?? 0) + 1;
        return;
      }
      if (performance.now() > giveUpAt) {
        result.unanswered++;
        return;
      }
      const retryMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
      await sleep(retryMs * (0.5 + Math.random() / 2));
    }
  }

  /** @param {Record<string, string>} headers @param {string} content @param {number} firstAt @param {number} tries */
  async function post(headers, content, firstAt, tries) {
    const { statusCode, body } = await pool.request({ path: '/api/v1/events', method: 'POST', headers, body: content });
    const answeredAt = now();
    const text = await body.text();
    if (statusCode === 202) result.accepted.push([JSON.parse(text).id, firstAt, answeredAt, tries]);
    return statusCode;
  }
}

process.on('disconnect', () => process.exit());
process.on('message', async (run) => process.send?.(await send(run)));
process.send?.('ready');
