import pg from 'pg';

/** Runs one statement in the product's database, for states that neither pages nor the API can create. Returns its rows. */
export async function runSql(statement: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: process.env.E2E_DATABASE_URL });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
