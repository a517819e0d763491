import { fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { closeDatabase } from '@/lib/platform/db';
import { readDatabaseUrl } from '@/lib/platform/embedded-postgres/credentials';
import { StartupError } from '@/scripts/start/startup-error.mjs';
import { Api, signIn } from './account';
import { CUSTOMER_RECEIVERS } from './customers';
import { bodyOf } from './history';
import { RECEIVERS } from './receivers';
import { seedHistory } from './seed';
import { sendLiveEvents } from './trickle';
import { makeWorkspace } from './workspace';

/** The same in each run, so that the URLs of the endpoints stay. */
const PORT = 4747;

const MAX_DELAY_MS = 8_000;

/**
 * `npm run demo [-- <url>] [--add-to-existing]`: fills an instance with 30 days of history, receives its deliveries and sends events
 * until it is stopped. Starts the instance when none runs.
 */
export async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'add-to-existing': { type: 'boolean', default: false } },
  });
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  const dataDir = process.env.DATA_DIR || '.data';
  const instance = await findInstance(positionals[0], dataDir);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  void instance.ended.then(() => stopping.abort());
  process.env.DATABASE_URL = instance.databaseUrl;
  loadConfigOrExit(REQUIRED_OF.migrate);
  const receiver = await startReceiver();
  try {
    const api = new Api(instance.url);
    const account = await signIn(api, dataDir, values['add-to-existing']);
    const startedAt = performance.now();
    const workspace = await makeWorkspace(api, account, receiver.address);
    const isNew = await seedHistory(workspace);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(isNew ? `30 days of history written in ${seconds} s.` : 'The history of an earlier run is there.');
    say(`\n  Sign in:   ${instance.url}/login`);
    say(`  Email      ${account.email}\n  Password   ${account.password}\n`);
    say('  Events are sent and received until you press Ctrl-C.\n');
    await closeDatabase();
    await sendLiveEvents(api, account, workspace, stopping.signal);
  } finally {
    receiver.close();
    await instance.stop();
  }
  process.exit(0);
}

async function findInstance(url: string | undefined, dataDir: string): Promise<Instance> {
  if (url !== undefined) return useInstance(url.replace(/\/$/, ''), dataDir);
  const local = `http://localhost:${process.env.PORT || 3000}`;
  return (await isLive(local)) ? useInstance(local, dataDir) : startInstance();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A running instance of the service. */
interface Instance {
  url: string;
  databaseUrl: string;
  /** Resolves when it has ended by itself. */
  ended: Promise<unknown>;
  /** Stops it, if the demo has started it. */
  stop(): Promise<void>;
}

/** Returns the instance that runs at a URL. @throws StartupError when there is none, or its database is unknown */
async function useInstance(url: string, dataDir: string): Promise<Instance> {
  if (!(await isLive(url)))
    throw new StartupError(`Nothing listens at ${url}. Run the demo without a URL to start it.`);
  const databaseUrl = process.env.DATABASE_URL || readDatabaseUrl(dataDir);
  if (databaseUrl === null) throw new StartupError('Set DATABASE_URL to the database of the instance.');
  return { url, databaseUrl, ended: new Promise(() => undefined), stop: async () => undefined };
}

/** Starts an instance, as `npm start` does. @throws StartupError when it does not start */
async function startInstance(): Promise<Instance> {
  // In a group of its own: Ctrl-C would reach it twice, and a second one ends it without waiting for its work.
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = fork('scripts/start.mjs', [], { execArgv: [], stdio, detached: true, env: environment() });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new StartupError('The service did not start.');
  });
  const [message] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ...(message as { url: string; databaseUrl: string }), ended, stop };
}

/** On a terminal, the lines of the demo's own requests would push away how to sign in. Failed requests are logged. */
function environment(): NodeJS.ProcessEnv {
  return process.stdout.isTTY ? { LOG_REQUEST_SAMPLE: '0', ...process.env } : process.env;
}

/** Whether an instance answers at a URL. */
async function isLive(url: string): Promise<boolean> {
  return fetch(`${url}/api/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The receiver of the demo: it answers like the receivers of the history did last. */
async function startReceiver(): Promise<{ address: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(request.url ?? '/', response));
  });
  await listen(server, PORT).catch(() => listen(server, 0));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  const receiver = [...RECEIVERS, ...CUSTOMER_RECEIVERS].find((each) => each.path === path);
  const given = receiver?.answer(Math.random, 0) ?? { status: 200, durationMs: 30 };
  await sleep(Math.min(given.durationMs, MAX_DELAY_MS));
  // A receiver that does not answer would hold slots of the worker; it hangs up instead.
  if (given.status === null) return void response.destroy();
  response.writeHead(given.status, { 'Content-Type': 'application/json' });
  response.end(bodyOf(Math.random, given));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
