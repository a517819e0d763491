import pg from 'pg';

/** Runs one statement in the product's database, for states that neither pages nor the API can create. */
export async function runSql(statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.E2E_DATABASE_URL });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
