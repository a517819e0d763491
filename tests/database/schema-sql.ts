import { SCHEMA, schemaEngine } from './schema-engine';

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
