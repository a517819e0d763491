import type { Sql } from '@/lib/platform/db';
import type { Column } from './column';

export type Columns = Record<string, Column<unknown>>;

/** The row that a statement with these columns returns. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

/**
 * A fixed SQL text and the columns that it returns. Every exported statement of a `*-sql.ts` file is checked against
 * the migrated database by tests/repository/sql-statements.db.test.ts
 * (docs/decisions/034-where-sql-is-written.md).
 */
export class Statement<C extends Columns = Record<never, never>> {
  constructor(
    readonly text: string,
    readonly columns: C,
    /** The name of the prepared statement, for a pool that keeps plans. */
    private readonly name?: string,
  ) {}

  /** Runs it and returns all rows. */
  async all(sql: Sql, ...values: unknown[]): Promise<RowOf<C>[]> {
    return (await this.send(sql, values)).rows;
  }

  /** Runs it and returns the first row; undefined when there is none. */
  async first(sql: Sql, ...values: unknown[]): Promise<RowOf<C> | undefined> {
    return (await this.send(sql, values)).rows[0];
  }

  /** Runs it and returns its row. @throws Error when there is none */
  async one(sql: Sql, ...values: unknown[]): Promise<RowOf<C>> {
    const row = await this.first(sql, ...values);
    if (row === undefined) throw new Error(`${this.name ?? this.text.trim()} returned no row`);
    return row;
  }

  /** Runs it and returns the number of rows that it returned or changed. */
  async run(sql: Sql, ...values: unknown[]): Promise<number> {
    return (await this.send(sql, values)).rowCount ?? 0;
  }

  private send(sql: Sql, values: unknown[]) {
    const { text, name } = this;
    return sql.query<RowOf<C>>(name === undefined ? { text, values } : { name, text, values });
  }
}

/** Declares a statement. Omit the columns when it returns no rows, or when only their number matters. */
export function statement<C extends Columns = Record<never, never>>(
  sql: string,
  columns: C = {} as C,
  { name }: { name?: string } = {},
): Statement<C> {
  return new Statement(sql, columns, name);
}
