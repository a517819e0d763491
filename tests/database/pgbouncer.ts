import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseIdentity, runAs } from '@/lib/platform/embedded-postgres/identity';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { findPgBouncer } from './find-pgbouncer';
import { makeTemporaryFolder } from './postgres';

const GUIDE = 'docs/guides/database.md';

/** A real PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of the database through it. */
  url: string;
  /** Starts it, again on the same port after `kill`. */
  start(): Promise<void>;
  /** Ends it at once, with all connections. */
  kill(): Promise<void>;
  /** Kills it and removes its files. */
  remove(): Promise<void>;
}

interface PgBouncerOptions {
  /** Connections to PostgreSQL. */
  poolSize: number;
  /** Milliseconds that each statement may take. */
  statementMs: number;
}

/** Configures one in front of a database as the guide says. */
export async function makePgBouncer(databaseUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const program = findPgBouncer();
  const folder = makeTemporaryFolder();
  const port = await findFreePort('127.0.0.1');
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(path.join(folder, 'userlist.txt'), `"${target.username}" "${target.password}"\n`, { mode: 0o644 });
  fs.writeFileSync(file, configure(target, folder, port, options), { mode: 0o644 });
  const identity = chooseIdentity(program, folder, () => undefined);
  const [command, args, spawnOptions] = runAs(identity, program, [file]);
  let running: ChildProcess | null = null;
  const kill = async () => {
    if (running === null || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
    running = null;
  };
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    async start() {
      running = spawn(command, args, { ...spawnOptions, stdio: 'ignore' });
      while ((await probePort(port, '127.0.0.1')) === null) {
        if (running.exitCode !== null) throw new Error(`PgBouncer exited with ${running.exitCode}`);
        await sleep(20);
      }
    },
    kill,
    async remove() {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Fills in the configuration that the guide shows. @throws Error when the guide has another one */
function configure(target: URL, folder: string, port: number, { poolSize, statementMs }: PgBouncerOptions): string {
  const [, shown = ''] = /^```ini\n([\s\S]*?)^```$/m.exec(fs.readFileSync(GUIDE, 'utf8')) ?? [];
  const ours: [string, string][] = [
    ['eds = host=postgres port=5432', `* = host=${target.hostname} port=${target.port}`],
    ['SET statement_timeout = 7000', `SET statement_timeout = ${statementMs}`],
    ['listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer', folder],
    ['default_pool_size = 20', `default_pool_size = ${poolSize}`],
  ];
  return ours.reduce((text, [theirs, own]) => {
    if (!text.includes(theirs)) throw new Error(`${GUIDE} does not have "${theirs}"`);
    return text.replace(theirs, own);
  }, shown);
}
