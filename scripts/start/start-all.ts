import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf, type Part } from '@/lib/platform/config/parts';
import { startServer } from '@/lib/platform/embedded-postgres/server';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { startChild } from './child';
import { acquireDataDir, type DataDir, refuseUnfinishedRestore } from './data-dir';
import { say, step } from './progress.mjs';
import { Service } from './service';
import { type Setup, withSetup } from './setup';
import type { StartConfig } from './setup-steps';
import { StartupError } from './startup-error.mjs';
import type { Supervisor } from './supervisor';

/** The service is ready without these two; they are restarted until they run. */
const OTHERS = ['worker', 'retention'] as const;
/** How long a start waits for them after web is ready, in milliseconds, to report whether they run. */
const OTHERS_PATIENCE_MS = 5000;
const MAX_NAMED_MIGRATIONS = 3;
/** An orphan drains for at most 7 s. */
const ORPHAN_PATIENCE_MS = 9000;

/** `npm start`: starts everything, restarts what exits, and stops everything on the first SIGINT or SIGTERM. */
export async function startAll(): Promise<void> {
  const service = new Service((line) => say(`  ! ${line}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.askToStop());
  process.on('disconnect', () => service.askToStop());
  // SIGHUP: the terminal was closed. Under nohup standard output is a file, and the signal stays ignored.
  if (process.stdout.isTTY) process.on('SIGHUP', () => service.askToStop());
  try {
    await bringUp(service);
    await service.ended;
  } catch (error) {
    // A stop makes the running steps fail.
    if (!service.stopping.aborted) throw error;
  } finally {
    await service.stopAll();
  }
  say('  Stopped.');
  process.exit(0);
}

async function bringUp(service: Service): Promise<void> {
  const { config, dataDir, port, databaseUrl, secrets } = await withSetup('stdout', (setup) => prepare(setup, service));
  const env = {
    ...process.env,
    ...secrets,
    // No load balancer chooses between this web process and another, and a stop takes at most 10 s.
    STOP_DELAY_SECONDS: '0',
    NODE_ENV: 'production' as const,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir.path,
    PORT: String(port),
    ...(config.databaseUrl === undefined ? { STORAGE_PATH: dataDir.path } : {}),
  };
  await startChildren(env, service);
  service.markReady();
  announce(config, dataDir, port);
  if (process.connected) process.send?.({ type: 'ready', url: `http://localhost:${port}`, databaseUrl });
}

/** Runs the steps up to a migrated database and a finished build. */
async function prepare(setup: Setup, service: Service) {
  const run: Setup['run'] = (step, input) => service.race(setup.run(step, input));
  const config = await run('readConfig', null);
  say('\n  Event Delivery Service\n');
  const dataDir = await acquireDataDir(config.dataDir, `PORT ${config.port}`, service.stopping);
  refuseUnfinishedRestore(dataDir.path);
  const port = await choosePort(config.port, dataDir.afterCrash ? ORPHAN_PATIENCE_MS : 0);
  const secrets = await run('loadSecrets', dataDir.path);
  await run('build', ['processes']);
  const databaseUrl = config.databaseUrl ?? (await startDatabase(dataDir, run, service));
  await step('Migrating the database', async () => {
    const applied = await run('migrate', databaseUrl);
    return describeApplied(applied);
  });
  await run('build', ['pages']);
  return { config, dataDir, port, databaseUrl, secrets };
}

/** The names of the migrations of an upgrade; of the many of a first start, their number. */
function describeApplied(names: string[]): string | null {
  if (names.length === 0) return null;
  return names.length > MAX_NAMED_MIGRATIONS
    ? `${names.length} migrations applied`
    : `Migrations applied: ${names.join(', ')}`;
}

async function startChildren(env: NodeJS.ProcessEnv, service: Service): Promise<void> {
  const supervise = (part: Part, isEssential: boolean) => {
    const file = path.resolve('.build', `${part}.mjs`);
    return service.supervise(part, () => startChild(file, environmentOf(part, env)), { isEssential });
  };
  let children: Supervisor[] = [];
  await step('Starting web, worker and retention', async () => {
    const web = supervise('web', true);
    const others = OTHERS.map((name) => supervise(name, false));
    children = [web, ...others];
    await service.race(web.ready);
    const settled = Promise.all(others.map((child) => child.settled));
    await service.race(Promise.race([settled, sleep(OTHERS_PATIENCE_MS)]));
    return describeRunning(children);
  });
  for (const { name, isRunning } of children) {
    if (!isRunning) say(`  ! ${name} is not running yet; restarting it until it runs`);
  }
}

/** "web, worker and retention are running", naming those that run. */
export function describeRunning(children: Pick<Supervisor, 'name' | 'isRunning'>[]): string {
  const names = children.filter((child) => child.isRunning).map((child) => child.name);
  const last = names.pop();
  return names.length === 0 ? `${last} is running` : `${names.join(', ')} and ${last} are running`;
}

async function startDatabase(dataDir: DataDir, run: Setup['run'], service: Service): Promise<string> {
  let databaseUrl = '';
  await step('Starting PostgreSQL', async () => {
    const database = await run('prepareDatabase', dataDir.path);
    databaseUrl = database.databaseUrl;
    await service.race(service.superviseLast('PostgreSQL', () => startServer(database.server)).ready);
    return ['PostgreSQL is running', ...database.notices.map((line) => `    ${line}`)].join('\n');
  });
  return databaseUrl;
}

function announce({ baseUrl, isBaseUrlSet, isMailSent, warnings }: StartConfig, dataDir: DataDir, port: number): void {
  const local = `http://localhost:${port}`;
  const address = isBaseUrlSet ? baseUrl : local;
  const mails = isMailSent ? '' : `  Emails   ${path.join(dataDir.path, 'mail')} (MAIL_URL is unset)\n`;
  const served = address === local ? '' : `  Served   ${local}\n`;
  // The demo has an account; it says how to sign in when its history is written.
  const open = process.connected ? address : `Open ${address} and register.`;
  for (const warning of warnings) say(`  ! ${warning}`);
  say(`\n  Ready.   ${open}\n${served}${mails}  Data     ${dataDir.path}\n  Ctrl-C stops everything.\n`);
}

/**
 * Returns the port to serve on: the given one, or a free one for 0.
 *
 * @param waitMs how long to wait for a port in use: an orphan of a killed start may still be draining
 * @throws StartupError when it stays in use or is not allowed
 */
export async function choosePort(port: number, waitMs = 0): Promise<number> {
  if (port === 0) return findFreePort();
  for (const end = performance.now() + waitMs; ; await sleep(100)) {
    const error = await probePort(port);
    if (error === null) return port;
    if (error === 'EADDRINUSE' && performance.now() < end) continue;
    const fault = error === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error})`;
    throw new StartupError(
      `PORT: ${port} ${fault}; stop the program that uses it, or set another PORT (default: 3000)`,
    );
  }
}
