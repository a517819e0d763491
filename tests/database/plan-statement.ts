import type pg from 'pg';

/** A value of each type, as text; of all other types that there are, 1. */
const VALUES: Record<string, string> = {
  uuid: '01a226d9-f453-728d-811e-b2b4a3c35b8c',
  json: '{}',
  jsonb: '{}',
  timestamptz: '2026-01-01',
  date: '2026-01-01',
  bool: 'true',
  bytea: 'a',
  regclass: 'events',
  tid: '(0,0)',
};

const quoted = (type: string) => `"${type}"`;

/** Returns SQL of a value of a type, named as in pg_type. */
async function sampleOf(client: pg.PoolClient, type: string, someText: string): Promise<string> {
  if (type.startsWith('_')) return `ARRAY[${await sampleOf(client, type.slice(1), someText)}]`;
  if (type === 'text') return `'${someText}'::text`;
  if (/^[a-z]/.test(type)) return `'${VALUES[type] ?? '1'}'::${quoted(type)}`;
  const { rows } = await client.query<{ label: string }>(
    `SELECT (enum_range(NULL::${quoted(type)}))[1]::text AS label`,
  );
  return `'${rows[0]?.label}'::${quoted(type)}`;
}

/** Lets the server plan a statement for values of its parameters. @throws what the server refuses */
export async function planStatement(client: pg.PoolClient, sql: string, params: readonly string[]): Promise<void> {
  const someText = sql.includes('::regnamespace') ? 'cell_00' : '1';
  const values: string[] = [];
  for (const type of params) values.push(await sampleOf(client, type, someText));
  await client.query('BEGIN');
  try {
    await client.query(`PREPARE planned AS ${sql}`);
    await client.query(`EXPLAIN EXECUTE planned${values.length > 0 ? `(${values.join(', ')})` : ''}`);
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}
