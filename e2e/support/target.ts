import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { PASSWORD } from './api';
import { type AttackRequest, type AttackResponse, cookieOf, createAttacker } from './attacker';
import { launchProduct, type Product } from './launch-product';

export const APP_BASE_URL = 'https://events.example.com';

/** A person whose account is attacked. */
export interface Victim {
  email: string;
  userId: string;
  token: string;
  cookie: string;
  organizationId: string;
}

/** A product to attack, with default limits and a complete log. */
export interface Target {
  product: Product;
  database: pg.Pool;
  logFile: string;
  authSecret: string;
  send(method: string, path: string, options?: AttackRequest): Promise<AttackResponse>;
  makeVictim(): Promise<Victim>;
  logIn(email: string, password: string, from: string, headers?: Record<string, string>): Promise<AttackResponse>;
}

/** Starts a product before the tests of a file and stops it after them. The target is complete when the tests run. */
export function useTarget(): Target {
  const authSecret = randomBytes(32).toString('hex');
  const target = { authSecret, logFile: path.resolve('.build', `attacks-${randomUUID()}.log`) } as Target;
  test.beforeAll(async () => {
    target.product = await launchProduct(target.logFile, {
      AUTH_SECRET: authSecret,
      APP_BASE_URL,
      AUTH_BCRYPT_COST: '6',
      AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10',
      LOG_LEVEL: 'debug',
    });
    target.database = new pg.Pool({ connectionString: target.product.databaseUrl, max: 2 });
    target.send = createAttacker(target.product.url);
  });
  test.afterAll(async () => {
    await target.database?.end();
    await target.product?.stop();
  });
  target.makeVictim = () => makeVictim(target);
  target.logIn = (email, password, from, headers = {}) =>
    target.send('POST', '/auth/login', { body: { email, password }, from, headers });
  return target;
}

async function makeVictim({ send }: Target): Promise<Victim> {
  const email = `victim-${randomUUID()}@example.com`;
  const made = await send('POST', '/auth/register', { body: { email, password: PASSWORD, name: 'Viola Victim' } });
  expect(made.status).toBe(201);
  return {
    email,
    userId: made.json.user.id,
    token: made.json.accessToken,
    cookie: cookieOf(made),
    organizationId: made.json.organization.id,
  };
}
