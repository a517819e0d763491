import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { VARIABLES } from '@/lib/platform/config/variables';

const LOG = path.resolve('.build/e2e-product.log');

/** What differs from a deployment's defaults, so that tests need not wait. */
const TEST_VARIABLES = {
  PORT: '0',
  AUTH_BCRYPT_COST: '4',
  AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10000',
  DELIVERY_RETRY_SECONDS: '1,2,3',
  DELIVERY_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'warn',
};

/**
 * Starts the product as a user does, with an embedded database of its own in a temporary DATA_DIR, and tells the tests by
 * E2E_BASE_URL, E2E_DATA_DIR and E2E_DATABASE_URL where it is. What is returned stops it.
 */
export default async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-e2e-'));
  fs.chmodSync(dataDir, 0o711);
  fs.mkdirSync(path.dirname(LOG), { recursive: true });
  const log = fs.openSync(LOG, 'w');
  // Set but empty counts as unset, and keeps a developer's .env out of the tests.
  const unset = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
  const env = { ...process.env, ...unset, ...TEST_VARIABLES, DATA_DIR: dataDir };
  const product = fork('scripts/start.mjs', [], { env, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
  fs.closeSync(log);
  const { url, databaseUrl } = await untilReady(product);
  Object.assign(process.env, { E2E_BASE_URL: url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl });
  return async () => {
    product.kill('SIGTERM');
    if (product.exitCode === null) await once(product, 'exit');
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}

async function untilReady(product: ChildProcess): Promise<{ url: string; databaseUrl: string }> {
  const died = once(product, 'exit').then(() => {
    throw new Error(`The product did not start:\n${fs.readFileSync(LOG, 'utf8')}`);
  });
  const [message] = await Promise.race([once(product, 'message'), died]);
  died.catch(() => undefined);
  return message as { url: string; databaseUrl: string };
}
