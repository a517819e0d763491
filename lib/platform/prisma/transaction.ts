import type pg from 'pg';
import { STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, type Sql, transactionLimitsSql, withConnection } from '@/lib/platform/db';
import { lentConnection, prisma, queryOf } from './client';
import type { Prisma } from './generated/client';

/** A transaction on one connection, for SQL (`query`) and Prisma's client. Each sees the changes of the other. */
export interface Transaction extends Sql {
  prisma: Prisma.TransactionClient;
}

interface TransactionOptions {
  /** Timeout of each statement in milliseconds. */
  statementMs?: number;
}

/**
 * Runs `work` in a transaction, which is committed when it returns and rolled back when it throws. The API's
 * domains open every transaction with it (docs/decisions/034-where-sql-is-written.md).
 */
export function inTransaction<T>(
  work: (tx: Transaction) => Promise<T>,
  { statementMs = STATEMENT_MS }: TransactionOptions = {},
): Promise<T> {
  return withConnection(database(), statementMs, (client) => {
    const limitsSql = transactionLimitsSql(statementMs);
    const run = async (tx: Prisma.TransactionClient) => {
      if (limitsSql !== '') await client.query(limitsSql);
      return work({ prisma: tx, query: client.query.bind(client) as Sql['query'] });
    };
    // A transaction inside `work` gets its own connection.
    return lentConnection().run(lend(client), () =>
      prisma().$transaction((tx) => lentConnection().run(null, () => run(tx))),
    );
  });
}

/** The connection as Prisma sees it: `withConnection` alone releases it, because only it knows whether it is broken. */
function lend(client: pg.PoolClient): pg.PoolClient {
  const query = queryOf(client);
  return new Proxy(client, {
    get(target, name) {
      if (name === 'release') return () => undefined;
      if (name === 'query') return query;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
