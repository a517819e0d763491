import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { clientFromPackage, testsOfClient } from './tests/package/client-from-package.mjs';

const NOT_SOURCES = ['node_modules/**', '.next/**', '.build/**', '.data/**', 'e2e/**'];

/**
 * Tests of a PostgreSQL that they start themselves, of a pooler in front of it, of backups, which only the embedded one has, and of the
 * schema before Citus changes it. They have nothing to do with a cluster.
 */
const OF_ONE_SERVER = [
  'lib/platform/prisma/schema-drift.*',
  'lib/platform/{backup,embedded-postgres}/**',
  'scripts/backup/**',
  'tests/many/{direct-database,pgbouncer,tls}.*',
];

export default defineConfig({
  // Only '@/', so that scoped packages do not match.
  resolve: { alias: [{ find: /^@\//, replacement: `${path.resolve('.')}/` }] },
  test: {
    // The tests mostly wait for the database and for processes: one worker per core leaves a quarter of two cores idle.
    maxWorkers: os.availableParallelism() + 1,
    // For slow machines. A test that guarantees a time measures it itself.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // The files that a worker runs share its process and modules; tests/setup/isolate-files.ts keeps them apart.
    isolate: false,
    setupFiles: ['tests/setup/isolate-files.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...NOT_SOURCES, '**/*.{db,long,citus}.test.ts'],
          globalSetup: ['tests/setup/bundle-eds.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: [...NOT_SOURCES, ...(process.env.TEST_CITUS_URL === undefined ? [] : OF_ONE_SERVER)],
          globalSetup: ['tests/setup/global-setup.ts', 'tests/setup/bundle-eds.ts'],
        },
      },
      {
        // With TEST_CITUS_URL only.
        extends: true,
        test: {
          name: 'citus',
          include: ['**/*.citus.test.ts'],
          exclude: NOT_SOURCES,
          globalSetup: ['tests/setup/global-setup.ts'],
        },
      },
      {
        // For `npm run test:long`.
        extends: true,
        test: {
          name: 'long',
          include: ['**/*.long.test.ts'],
          exclude: NOT_SOURCES,
          globalSetup: ['tests/setup/global-setup.ts'],
        },
      },
      {
        // The tests of the client once more, against the npm package.
        extends: true,
        plugins: [clientFromPackage()],
        test: {
          name: 'package',
          include: testsOfClient(),
          globalSetup: ['tests/setup/global-setup.ts', 'tests/package/install-once.ts'],
        },
      },
    ],
  },
});
