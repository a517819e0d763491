import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

const PACKAGE = path.resolve('node_modules/@prisma/schema-engine-wasm');
const SCHEMA = 'prisma/schema.prisma';
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** The SQL that Prisma would write to make prisma/schema.prisma from nothing; the engine wants some live database beside it. */
export async function schemaSql(databaseUrl: string): Promise<string> {
  const binding = await import(path.join(PACKAGE, 'schema_engine_bg.js'));
  const wasm = readFileSync(path.join(PACKAGE, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': binding });
  binding.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start?: () => void }).__wbindgen_start?.();
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const file = { path: SCHEMA, content: readFileSync(SCHEMA, 'utf8') };
  const engine = await binding.SchemaEngine.new({ datamodels: [[file.path, file.content]] }, () => undefined, factory);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [file] },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: NO_FILTERS,
  });
  return stdout;
}
