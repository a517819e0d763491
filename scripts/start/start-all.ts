import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, loadConfigOrExit } from '@/lib/platform/config/config';
import { type Cluster, prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { buildStale, PAGES, PROCESSES } from './build';
import { startChild } from './child';
import { type DataDir, takeDataDir } from './data-dir';
import { choosePort } from './port';
import { say, step } from './progress.mjs';
import { loadSecrets } from './secrets';
import { Service } from './service';
import type { Supervisor } from './supervisor';

/** Enough for lookups of names whose servers are silent to leave some to the rest of the process. */
const THREADS = '16';
/** The product is ready without these two; they are restarted until they run. */
const OTHERS = ['worker', 'retention'];
/** How long a start waits for them after web is ready, in milliseconds, only to tell whether they run. */
const OTHERS_PATIENCE_MS = 5000;
/** An orphan drains for at most 7 s. */
const ORPHAN_PATIENCE_MS = 9000;

/** `npm start`: starts everything, restarts what dies, and stops everything on the first SIGINT or SIGTERM. */
export async function startAll(): Promise<void> {
  const config = loadConfigOrExit([]);
  const service = new Service((line) => say(`  ! ${line}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.askToStop());
  process.on('disconnect', () => service.askToStop());
  // The terminal was closed. Under nohup, where standard output is a file, the signal stays ignored.
  if (process.stdout.isTTY) process.on('SIGHUP', () => service.askToStop());
  try {
    await bringUp(config, service);
    await service.ended;
  } catch (error) {
    // A stop makes what was under way fail.
    if (!service.stopping.aborted) throw error;
  } finally {
    await service.stopAll();
  }
  say('  Stopped.');
  process.exit(0);
}

async function bringUp(config: Config, service: Service): Promise<void> {
  say('\n  Event Delivery Service\n');
  const dataDir = await takeDataDir(config.DATA_DIR, `PORT ${config.PORT}`, service.stopping);
  const port = await choosePort(config.PORT, dataDir.afterCrash ? ORPHAN_PATIENCE_MS : 0);
  const secrets = loadSecrets(dataDir.path, process.env);
  await buildStale(PROCESSES, service.stopping);
  const databaseUrl = config.DATABASE_URL ?? (await service.race(startDatabase(dataDir, service)));
  await service.race(migrate(databaseUrl));
  await buildStale(PAGES, service.stopping);
  const env = {
    ...process.env,
    ...secrets,
    // libuv reads it before any code of a process runs.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE || THREADS,
    NODE_ENV: 'production' as const,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir.path,
    PORT: String(port),
  };
  await startChildren(env, service);
  service.markReady();
  announce(config, dataDir, port);
  if (process.connected) process.send?.({ type: 'ready', url: `http://localhost:${port}`, databaseUrl });
}

async function startChildren(env: NodeJS.ProcessEnv, service: Service): Promise<void> {
  const supervise = (name: string, isEssential: boolean) =>
    service.supervise(name, () => startChild(path.resolve('.build', `${name}.mjs`), env), { isEssential });
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
    if (!isRunning) say(`  ! ${name} is not running yet; it is being restarted until it runs`);
  }
}

/** "web, worker and retention are running", of those that are. */
export function describeRunning(children: Pick<Supervisor, 'name' | 'isRunning'>[]): string {
  const names = children.filter((child) => child.isRunning).map((child) => child.name);
  const last = names.pop();
  return names.length === 0 ? `${last} is running` : `${names.join(', ')} and ${last} are running`;
}

async function startDatabase(dataDir: DataDir, service: Service): Promise<string> {
  let databaseUrl = '';
  await step('Starting PostgreSQL', async () => {
    const notices: string[] = [];
    const cluster: Cluster = await prepareCluster({ dataDir: dataDir.path, onNotice: (line) => notices.push(line) });
    await service.race(service.superviseLast('PostgreSQL', () => cluster.start()).ready);
    databaseUrl = cluster.databaseUrl;
    return ['PostgreSQL is running', ...notices.map((line) => `    ${line}`)].join('\n');
  });
  return databaseUrl;
}

async function migrate(databaseUrl: string): Promise<void> {
  await step('Migrating the database', async () => {
    const applied = await applyMigrations(databaseUrl);
    return applied.length === 0 ? null : `Migrations applied: ${applied.join(', ')}`;
  });
}

function announce(config: Config, dataDir: DataDir, port: number): void {
  const local = `http://localhost:${port}`;
  const address = config.APP_BASE_URL === undefined ? local : config.baseUrl;
  const mails =
    config.MAIL_URL === undefined ? `  Mails    ${path.join(dataDir.path, 'mail')} (MAIL_URL is unset)\n` : '';
  const served = address === local ? '' : `  Served   ${local}\n`;
  say(
    `\n  Ready.   Open ${address} and register.\n${served}${mails}  Data     ${dataDir.path}\n  Ctrl-C stops everything.\n`,
  );
}
