import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { databaseUrlOf, loadCredentials } from './credentials';
import { chooseIdentity, type Identity, runAs } from './identity';
import { findBinaries, initialize } from './initialize';
import { stopOrphan } from './orphan';
import { type RunningServer, type ServerOptions, startServer } from './server';
import { EmbeddedPostgresError, SETTINGS } from './settings';

interface ClusterOptions {
  /** Absolute path of the folder that gets postgres/, postgres.json and postgres.log: DATA_DIR. */
  dataDir: string;
  /** Server settings that differ from SETTINGS. */
  settings?: Record<string, string>;
  /** Gets lines for the person at the terminal. */
  onNotice?: (line: string) => void;
}

export interface Cluster {
  /** Connects to the service's database as its role. */
  databaseUrl: string;
  /** The same by a Unix socket, where there can be one: a round trip takes a third less of the processor. */
  localUrl: string;
  /** Connects to the database "postgres" as the superuser. */
  adminUrl: string;
  /** For another process that runs the prepared server. */
  server: ServerOptions;
  /** Starts the server as a child of this process. May be called again after it has ended. */
  start(): RunningServer;
}

/**
 * Prepares the database in DATA_DIR/postgres: stops a server that outlived its owner, removes the leftovers of an interrupted
 * initialization, and initializes a new database if there is none. Only the holder of DATA_DIR's lock may call it.
 *
 * @throws EmbeddedPostgresError
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, onNotice = () => undefined } = options;
  const folder = path.join(dataDir, 'postgres');
  const binaries = findBinaries();
  const identity = chooseIdentity(binaries.postgres, dataDir, onNotice);
  if (await stopOrphan(folder)) onNotice('Stopped a PostgreSQL server of an earlier start');
  clearLeftovers(dataDir, folder, onNotice);
  const credentials = await loadCredentials(dataDir, fs.existsSync(folder));
  if (!fs.existsSync(folder)) await initialize(folder, binaries, identity, credentials);
  checkFolder(folder, identity);
  const { adminPassword, port } = credentials;
  const socketFolder = (await canHaveSocket(folder)) ? folder : null;
  const sockets = socketFolder === null ? {} : { unix_socket_directories: socketFolder };
  const settings = { ...SETTINGS, ...sockets, ...options.settings, port: String(port) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server: ServerOptions = {
    command: runAs(identity, binaries.postgres, ['-D', folder, ...flags]),
    folder,
    logFile: path.join(dataDir, 'postgres.log'),
  };
  return {
    databaseUrl: databaseUrlOf(credentials),
    localUrl: databaseUrlOf(credentials, socketFolder),
    adminUrl: `postgresql://postgres:${adminPassword}@127.0.0.1:${port}/postgres`,
    server,
    start: () => startServer(server),
  };
}

/** Removes leftovers of killed initializations. Renames a folder that is not a database: it may contain anything. */
function clearLeftovers(dataDir: string, folder: string, onNotice: (line: string) => void): void {
  for (const name of fs.readdirSync(dataDir).filter((entry) => entry.startsWith('postgres.new-'))) {
    // An initdb that survived its parent may still write there. It ends by itself; the next start removes its folder.
    try {
      fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
  if (!fs.existsSync(folder) || fs.existsSync(path.join(folder, 'global', 'pg_control'))) return;
  const aside = `${folder}.incomplete-${Date.now()}`;
  fs.renameSync(folder, aside);
  onNotice(`${folder} was not a complete database; it is kept as ${path.basename(aside)}`);
}

/** The longest path of a socket on macOS; Linux allows four bytes more. */
const MAX_SOCKET_PATH_BYTES = 103;
const PROBE = '.socket-probe';

/**
 * Whether this process can use a Unix socket in the database's folder, which nobody else may enter. Not on Windows, in a long path, on
 * some network and shared folders, and as a root without rights to the files of others.
 */
async function canHaveSocket(folder: string): Promise<boolean> {
  const probe = path.join(folder, PROBE);
  // A comma would separate two folders.
  if (process.platform === 'win32' || folder.includes(',')) return false;
  if (Buffer.byteLength(path.join(folder, '.s.PGSQL.00000')) > MAX_SOCKET_PATH_BYTES) return false;
  fs.rmSync(probe, { force: true });
  const server = net.createServer();
  try {
    await once(server.listen(probe), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function checkFolder(folder: string, identity: Identity): void {
  const owner = fs.statSync(folder).uid;
  const own = identity.uid ?? process.getuid?.() ?? owner;
  if (owner !== own) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: ${folder} belongs to another user (id ${owner}): run as that user, or choose another DATA_DIR.`,
    );
  }
}
