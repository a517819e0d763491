import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { makeEmptyDatabase } from '@/tests/database/empty-database';
import { schemaSql } from '@/tests/database/schema-sql';
import { useDatabase } from '@/tests/database/use-database';

useDatabase();

/** Condition on the name of a table: it is no partition. */
const OF_MODEL = (name: string) => `${name} NOT IN (SELECT relname FROM pg_class WHERE relispartition)`;

/** What both databases are read for; each list is of readable lines, so that a failure names the column or key. */
const FACTS = {
  columns: `SELECT format('%s.%s %s %s default %s', table_name, column_name, udt_name || coalesce('(' || datetime_precision || ')', ''),
                   CASE is_nullable WHEN 'YES' THEN 'null' ELSE 'not null' END, coalesce(column_default, '-')) AS line
            FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) AND table_name <> '_prisma_migrations'
              AND ${OF_MODEL('table_name')}`,
  enums: `SELECT format('%s: %s', t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)) AS line
          FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid GROUP BY t.typname`,
  'primary and foreign keys': `
          SELECT format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) AS line FROM pg_constraint
          WHERE connamespace = ANY (current_schemas(false)::regnamespace[]) AND contype IN ('p', 'f') AND conrelid::regclass::text <> '_prisma_migrations'
            AND ${OF_MODEL('conrelid::regclass::text')}`,
} as const;

const INDEXES = `SELECT regexp_replace(indexdef, ' ON (?:ONLY )?\\w+\\.', ' ON ') AS line FROM pg_indexes
                 WHERE schemaname = ANY (current_schemas(false)) AND tablename <> '_prisma_migrations' AND ${OF_MODEL('tablename')}`;

describe('the migrated database and prisma/schema.prisma', () => {
  const empty = makeEmptyDatabase();
  let described: pg.Client;

  beforeAll(async () => {
    await empty.create();
    described = new pg.Client({ connectionString: empty.url });
    await described.connect();
    await described.query(await schemaSql(empty.url));
  });

  afterAll(async () => {
    await described.end();
    await empty.drop();
  });

  const lines = async (source: { query(sql: string): Promise<{ rows: { line: string }[] }> }, sql: string) =>
    (await source.query(sql)).rows.map((row) => row.line).sort();

  for (const [fact, sql] of Object.entries(FACTS)) {
    it(`agree on ${fact}`, async () => {
      const expected = await lines(described, sql);
      expect(expected.length).toBeGreaterThan(5);
      expect(await lines(database(), sql)).toEqual(expected);
    });
  }

  it('agree on every index that the schema can name', async () => {
    const migrated = await lines(database(), INDEXES);
    expect(migrated).toEqual(expect.arrayContaining(await lines(described, INDEXES)));
  });
});

describe('every large table', () => {
  it('carries project_id, so that erasure and sharding need no join', async () => {
    const { rows } = await database().query(
      `SELECT table_name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) AND column_name = 'project_id'`,
    );
    const tables = rows.map((row: { table_name: string }) => row.table_name);
    const large = ['events', 'incoming_events', 'deliveries', 'delivery_attempts', 'outbox', 'tunnel_request_log'];
    expect(tables).toEqual(expect.arrayContaining(large));
  });
});
