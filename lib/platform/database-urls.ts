import { config } from '@/lib/platform/config/config';

/**
 * Returns the URL for what needs a session of its own: LISTEN, locks that outlive a transaction, migrations, snapshots. It is
 * DATABASE_DIRECT_URL, or DATABASE_URL where that is unset. See docs/decisions/050-what-needs-a-session.md.
 */
export function directDatabaseUrl(): string | undefined {
  return config().DATABASE_DIRECT_URL ?? config().DATABASE_URL;
}

/** Whether DATABASE_URL is a pooler, in which each transaction may run in another session. */
export function isDatabasePooled(): boolean {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = config();
  return DATABASE_DIRECT_URL !== undefined && DATABASE_DIRECT_URL !== DATABASE_URL;
}

/** Returns the variable that `directDatabaseUrl` reads, for errors. */
export function directDatabaseVariable(): 'DATABASE_DIRECT_URL' | 'DATABASE_URL' {
  return isDatabasePooled() ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
}
