import type { Sql } from '@/lib/platform/db';
import type { Column } from './column';

export type Columns = Record<string, Column<unknown, unknown>>;

/** The row that a statement with these columns returns. */
export type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T, unknown> ? T : never };

/** The values of named parameters. */
export type ValuesOf<P extends Columns> = { [Name in keyof P]: P[Name] extends Column<unknown, infer In> ? In : never };

/** What a statement is run with: the values by name; nothing without parameters; with `null`, the values by position. */
export type Given<P extends Columns | null> = P extends Columns
  ? keyof P extends never
    ? []
    : [ValuesOf<P>]
  : unknown[];

/**
 * A fixed SQL text, the parameters that it takes, and the columns that it returns. Every exported statement of a `*-sql.ts` file is
 * checked against the migrated database by tests/repository/sql-statements.db.test.ts
 * (docs/decisions/034-where-sql-is-written.md).
 */
export class Statement<C extends Columns = Record<never, never>, P extends Columns | null = null> {
  private readonly order: readonly string[] | null;

  constructor(
    /** With `$1`, `$2` … for its parameters. */
    readonly text: string,
    readonly columns: C,
    /** The name of the prepared statement, for a pool that keeps plans. */
    private readonly name?: string,
    /** The parameters in the order of their numbers; null for a text that is built with its values. */
    readonly params: P = null as P,
  ) {
    this.order = params === null ? null : Object.keys(params);
  }

  /** Runs it and returns all rows. */
  async all(sql: Sql, ...given: Given<P>): Promise<RowOf<C>[]> {
    return (await this.send(sql, given)).rows;
  }

  /** Runs it and returns the first row; undefined when there is none. */
  async first(sql: Sql, ...given: Given<P>): Promise<RowOf<C> | undefined> {
    return (await this.send(sql, given)).rows[0];
  }

  /** Runs it and returns its row. @throws Error when there is none */
  async one(sql: Sql, ...given: Given<P>): Promise<RowOf<C>> {
    const row = await this.first(sql, ...given);
    if (row === undefined) throw new Error(`${this.name ?? this.text.trim()} returned no row`);
    return row;
  }

  /** Runs it and returns the number of rows that it returned or changed. */
  async run(sql: Sql, ...given: Given<P>): Promise<number> {
    return (await this.send(sql, given)).rowCount ?? 0;
  }

  private send(sql: Sql, given: Given<P>) {
    const { text, name, order } = this;
    const [named = {}] = given as [Record<string, unknown>?];
    const values = order === null ? [...given] : order.map((param) => named[param]);
    return sql.query<RowOf<C>>(name === undefined ? { text, values } : { name, text, values });
  }
}

interface Declared<C extends Columns, P extends Columns> {
  /** The parameters that the text names, as in `$organization`. */
  params?: P;
  /** Omit them when the statement returns no rows, or when only their number matters. */
  columns?: C;
  /** The name of the prepared statement, for a pool that keeps plans. */
  name?: string;
}

/**
 * Declares a statement, whose text names its parameters: `WHERE id = $project`.
 * @throws Error when the text names another parameter, or not each
 */
export function statement<C extends Columns = Record<never, never>, P extends Columns = Record<never, never>>(
  sql: string,
  { params = {} as P, columns = {} as C, name }: Declared<C, P> = {},
): Statement<C, P> {
  const numbers = new Map(Object.keys(params).map((param, index) => [param, `$${index + 1}`]));
  const used = new Set<string>();
  const text = sql.replace(/\$([a-zA-Z]\w*)\b(?!\$)/g, (_whole, param: string) => {
    used.add(param);
    const number = numbers.get(param);
    if (number === undefined) throw new Error(`no parameter $${param}: ${sql}`);
    return number;
  });
  const unused = [...numbers.keys()].find((param) => !used.has(param));
  if (unused !== undefined) throw new Error(`nothing uses $${unused}: ${sql}`);
  return new Statement(text, columns, name, params);
}
