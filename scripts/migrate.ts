// `npm run migrate`: migrates the database of DATABASE_DIRECT_URL, or DATABASE_URL, to the schema of this version.
import { config, loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { directDatabaseUrl, directDatabaseVariable, isDatabasePooled } from '@/lib/platform/database-client';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { MigrationError } from '@/lib/platform/migrate/migrations';

loadConfigOrExit(REQUIRED_OF.migrate);
try {
  const applied = await applyMigrations(directDatabaseUrl() ?? '', {
    variable: directDatabaseVariable(),
    pooledUrl: isDatabasePooled() ? config().DATABASE_URL : undefined,
    onNotice: console.log,
  });
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
} catch (error) {
  if (!(error instanceof MigrationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
