import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const PACKAGE = path.resolve('node_modules/@prisma/schema-engine-wasm');

export const SCHEMA = { path: 'prisma/schema.prisma', content: readFileSync('prisma/schema.prisma', 'utf8') };

let loaded: ReturnType<typeof loadBinding> | undefined;

/** Returns the migration engine of Prisma for a running database, without a download. */
export async function schemaEngine(databaseUrl: string) {
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
  (instance.exports as { __wbindgen_start?: () => void }).__wbindgen_start?.();
  return binding;
}

/** Returns the SQL with which Prisma creates prisma/schema.prisma. @param databaseUrl any running database; the engine needs one */
export async function schemaSql(databaseUrl: string): Promise<string> {
  const engine = await schemaEngine(databaseUrl);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [SCHEMA] },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout;
}
