/** Server settings for a small machine that runs the entire service. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Compiling a query takes longer than running it.
  jit: 'off',
  // Parallel workers share memory through /dev/shm, which is 64 MB in a container.
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
};

/** UTF-8 with code point order: the same on every system, and no index depends on the version of a C library. */
export const INITDB_FLAGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--username=postgres',
  '--no-instructions',
];

/** Role and database of the service. */
export const APP_NAME = 'event_delivery';

/** Why the embedded PostgreSQL cannot run, in one line that says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
