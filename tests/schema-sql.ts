import { SCHEMA, schemaEngine } from './schema-engine';

/** The SQL that Prisma would write to make prisma/schema.prisma from nothing; the engine wants some live database beside it. */
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
