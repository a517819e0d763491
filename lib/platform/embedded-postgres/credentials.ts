import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { writePrivateJson } from '@/lib/platform/private-file';
import { APP_NAME, EmbeddedPostgresError } from './settings';

const LOCAL = '127.0.0.1';

const Credentials = z.object({
  port: z.number().int(),
  /** The password of the superuser, which only the process that runs the server knows. */
  adminPassword: z.string(),
  /** The password of the role that owns the service's database and has no rights beyond it. */
  password: z.string(),
});
export type Credentials = z.infer<typeof Credentials>;

/**
 * Reads DATA_DIR/postgres.json, or creates it for a new database. The port stays the same over restarts, so that tools can
 * reconnect, unless another program uses it.
 *
 * @throws EmbeddedPostgresError when the database exists and the file does not
 */
export async function loadCredentials(dataDir: string, databaseExists: boolean): Promise<Credentials> {
  const file = path.join(dataDir, 'postgres.json');
  const found = read(file);
  if (found === null && databaseExists) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: ${file} with the database's password is missing or damaged: restore it, or move ${dataDir} away to start with an empty database.`,
    );
  }
  const credentials = found ?? { port: 0, adminPassword: password(), password: password() };
  const port = await choosePort(credentials.port);
  if (found?.port !== port) writePrivateJson(file, { ...credentials, port });
  return { ...credentials, port };
}

/** Returns the URL of the service's database that runs in DATA_DIR; null when there is none. */
export function readDatabaseUrl(dataDir: string): string | null {
  const found = read(path.join(dataDir, 'postgres.json'));
  return found === null ? null : databaseUrlOf(found);
}

/** Returns the URL of the service's database. @param socketFolder the folder of a Unix socket, which is used instead of the port */
export function databaseUrlOf({ port, password }: Credentials, socketFolder: string | null = null): string {
  const host = socketFolder === null ? '' : `?host=${encodeURIComponent(socketFolder)}`;
  return `postgresql://${APP_NAME}:${password}@${LOCAL}:${port}/${APP_NAME}${host}`;
}

function read(file: string): Credentials | null {
  try {
    return Credentials.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Hexadecimal, so that it needs no escaping in SQL or in a URL. */
function password(): string {
  return randomBytes(24).toString('hex');
}

async function choosePort(preferred: number): Promise<number> {
  return preferred > 0 && (await probePort(preferred, LOCAL)) === null ? preferred : findFreePort(LOCAL);
}
