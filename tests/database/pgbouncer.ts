import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { chooseIdentity, runAs } from '@/lib/platform/embedded-postgres/identity';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { waitFor } from '@/tests/http/receiver';
import { findPgBouncer } from './find-pgbouncer';
import { makeTemporaryFolder } from './postgres';

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

/** Configures one in front of a database as docs/guides/database.md says; otherwise it has its defaults. */
export async function makePgBouncer(databaseUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const { program, libraries } = findPgBouncer();
  const folder = makeTemporaryFolder();
  const [port, file] = [await findFreePort('127.0.0.1'), path.join(folder, 'pgbouncer.ini')];
  fs.writeFileSync(path.join(folder, 'userlist.txt'), `"${target.username}" "${target.password}"\n`, { mode: 0o644 });
  fs.writeFileSync(file, configure(target, folder, port, options), { mode: 0o644 });
  const identity = chooseIdentity(program, folder, () => undefined);
  const [command, args, spawnOptions] = runAs(identity, program, [file]);
  const env = { ...spawnOptions.env, ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }) } as NodeJS.ProcessEnv;
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
      running = spawn(command, args, { ...spawnOptions, env, stdio: 'ignore' });
      await waitFor('PgBouncer', async () => (await probePort(port, '127.0.0.1')) !== null);
    },
    kill,
    async remove() {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configure(target: URL, folder: string, port: number, { poolSize, statementMs }: PgBouncerOptions): string {
  const limits = `SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = 10000`;
  return `
[databases]
* = host=${target.hostname} port=${target.port} connect_query='${limits}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/userlist.txt
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${poolSize}
`;
}
