import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

// Run as a program with the URL of a database, it prints the SQL with which Prisma creates prisma/schema.prisma.

const PACKAGE = path.resolve('node_modules/@prisma/schema-engine-wasm');

export const SCHEMA = { path: 'prisma/schema.prisma', content: readFileSync('prisma/schema.prisma', 'utf8') };

/** @type {Promise<any> | undefined} */
let loaded;

/**
 * Returns the migration engine of Prisma for a running database, without a download.
 * @param {string} databaseUrl
 */
export async function schemaEngine(databaseUrl) {
  // Loaded once per process: the binding caches the memory of its first instance and would use it for a second one.
  loaded ??= loadBinding();
  const binding = await loaded;
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const options = { datamodels: [[SCHEMA.path, SCHEMA.content]] };
  return binding.SchemaEngine.new(options, () => undefined, factory);
}

async function loadBinding() {
  const binding = await import(path.join(PACKAGE, 'schema_engine_bg.js'));
  const wasm = readFileSync(path.join(PACKAGE, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': binding });
  binding.__wbg_set_wasm(instance.exports);
  /** @type {{ __wbindgen_start?: () => void }} */ (instance.exports).__wbindgen_start?.();
  return binding;
}

/** @param {string} databaseUrl any running database; the engine needs one */
async function printSchemaSql(databaseUrl) {
  const engine = await schemaEngine(databaseUrl);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [SCHEMA] },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  process.stdout.write(stdout, () => process.exit());
}

const [, program, databaseUrl] = process.argv;
if (program === fileURLToPath(import.meta.url) && databaseUrl !== undefined) await printSchemaSql(databaseUrl);
