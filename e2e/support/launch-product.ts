import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { VARIABLES } from '@/lib/platform/config/variables';

/** Variables that differ from the defaults, so that tests do not wait. */
const TEST_VARIABLES = {
  PORT: '0',
  AUTH_BCRYPT_COST: '4',
  AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10000',
  AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: '10000',
  ANONYMOUS_REQUESTS_PER_SECOND: '10000',
  DELIVERY_RETRY_SECONDS: '1,2,3',
  DELIVERY_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'warn',
};

/** A running `npm start`. */
export interface Product {
  url: string;
  databaseUrl: string;
  dataDir: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Runs `npm start` with a temporary DATA_DIR and a free port, and logs to `logFile`. Resolves when it is ready. */
export async function launchProduct(logFile: string, variables: Record<string, string> = {}): Promise<Product> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-e2e-'));
  fs.chmodSync(dataDir, 0o711);
  const log = fs.openSync(logFile, 'w');
  // An empty variable counts as unset and overrides a developer's .env.
  const unset = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
  const env = { ...process.env, ...unset, ...TEST_VARIABLES, ...variables, DATA_DIR: dataDir };
  const product = fork('scripts/start.mjs', [], { env, execArgv: [], stdio: ['ignore', log, log, 'ipc'] });
  fs.closeSync(log);
  const { url, databaseUrl } = await waitUntilReady(product, logFile);
  const stop = async () => {
    product.kill('SIGTERM');
    if (product.exitCode === null && product.signalCode === null) await once(product, 'exit');
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, databaseUrl, dataDir, process: product, stop };
}

async function waitUntilReady(product: ChildProcess, logFile: string): Promise<{ url: string; databaseUrl: string }> {
  const died = once(product, 'exit').then(() => {
    throw new Error(`The product did not start:\n${fs.readFileSync(logFile, 'utf8')}`);
  });
  const [message] = await Promise.race([once(product, 'message'), died]);
  died.catch(() => undefined);
  return message as { url: string; databaseUrl: string };
}
