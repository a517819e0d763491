import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { PASSWORD } from '@/e2e/support/api';
import { type AttackResponse, createAttacker, newClientAddress } from '@/e2e/support/attacker';
import { fetchChecked } from '@/e2e/support/check-response';
import { launchProduct, type Product } from '@/e2e/support/launch-product';

test.describe.configure({ mode: 'default' });

/** More sign-ins than the machine can handle within the limit: a hash with cost 12 takes about 300 ms of CPU. */
const MANY_CLIENTS = 30 * availableParallelism();
const ANSWER_LIMIT_MS = 10_000;
const DISCONNECT_AFTER_MS = 300;
/** Clients that stay connected wait up to 3 s in the queue. */
const FAST_MS = 2_400;

let product: Product;

test.beforeAll(async () => {
  const logFile = path.resolve('.build', `sign-in-load-${randomUUID()}.log`);
  product = await launchProduct(logFile, { AUTH_BCRYPT_COST: '12' });
});
test.afterAll(() => product?.stop());

async function register(): Promise<string> {
  const email = `person-${randomUUID()}@example.com`;
  const made = await createAttacker(product.url)('POST', '/auth/register', { body: { email, password: PASSWORD } });
  expect(made.status).toBe(201);
  return email;
}

async function logIn(
  email: string,
  password: string,
  from = newClientAddress(),
): Promise<{ response: AttackResponse; ms: number }> {
  const started = performance.now();
  const body = { email, password };
  const response = await createAttacker(product.url)('POST', '/auth/login', { body, from });
  return { response, ms: performance.now() - started };
}

/** Sends sign-ins from 127.0.0.1 and disconnects before they are answered. */
async function logInAndDisconnect(count: number): Promise<void> {
  const caller = new AbortController();
  const sent = Array.from({ length: count }, (_, index) =>
    fetchChecked(`${product.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `nobody-${index}@example.com`, password: 'a guess' }),
      signal: caller.signal,
    }).catch(() => undefined),
  );
  await new Promise((resolve) => setTimeout(resolve, DISCONNECT_AFTER_MS));
  caller.abort();
  await Promise.all(sent);
}

test('many simultaneous sign-ins are all answered within 10 seconds, some with 503 and Retry-After', async () => {
  const email = await register();
  const responses = await Promise.all(
    Array.from({ length: MANY_CLIENTS }, () => logIn(`${randomUUID()}@example.com`, 'a guess')),
  );
  for (const { response, ms } of responses) {
    expect(ms).toBeLessThan(ANSWER_LIMIT_MS);
    expect([401, 503]).toContain(response.status);
    if (response.status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  expect(responses.filter(({ response }) => response.status === 401).length).toBeGreaterThan(0);
  expect(responses.filter(({ response }) => response.status === 503).length).toBeGreaterThan(0);
  expect((await logIn(email, PASSWORD)).response.status).toBe(200);
});

test('clients that disconnect leave the queue: a sign-in right after them is fast', async () => {
  const email = await register();
  await logInAndDisconnect(MANY_CLIENTS);
  // From the same address, later in the same queue.
  const { response, ms } = await logIn(email, PASSWORD, '127.0.0.1');
  expect(response.status).toBe(200);
  expect(ms).toBeLessThan(FAST_MS);
});
