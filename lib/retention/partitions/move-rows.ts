import type { SqlTransaction } from '@/lib/platform/db';
import type { Branch, DayPartition } from './partitions';

/** Blocks of 8 kB that one statement reads. A move can be stopped between two statements. */
const BLOCKS_AT_ONCE = 2048;

/** Moves a default partition's rows of a period into a table that is not attached yet. Locks only these rows. */
export class RowMove {
  /** Returns the starts of the stretches of the default, for `moveStretch`. */
  readonly stretches: readonly number[];
  readonly #tx: SqlTransaction;
  readonly #branch: Branch;
  readonly #target: DayPartition;
  readonly #columns: string;

  private constructor(tx: SqlTransaction, branch: Branch, target: DayPartition, blocks: number, columns: string) {
    this.stretches = Array.from({ length: Math.ceil(blocks / BLOCKS_AT_ONCE) }, (_, place) => place * BLOCKS_AT_ONCE);
    this.#tx = tx;
    this.#branch = branch;
    this.#target = target;
    this.#columns = columns;
  }

  static async prepare(tx: SqlTransaction, branch: Branch, target: DayPartition): Promise<RowMove> {
    const { rows } = await tx.query<{ blocks: string; columns: string }>(
      `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS blocks,
         string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [branch.defaultTable],
    );
    return new RowMove(tx, branch, target, Number(rows[0]?.blocks), rows[0]?.columns ?? '');
  }

  /** @returns how many rows it moved */
  async moveStretch(start: number): Promise<number> {
    return this.#move('ctid >= $3::tid AND ctid < $4::tid', [`(${start},0)`, `(${start + BLOCKS_AT_ONCE},0)`]);
  }

  /** Moves rows added since. Reads the entire default. */
  async moveRest(): Promise<number> {
    return this.#move('true', []);
  }

  async #move(condition: string, places: string[]): Promise<number> {
    const { rowCount } = await this.#tx.query(
      `WITH moved AS (
         DELETE FROM ${this.#branch.defaultTable} WHERE created_at >= $1 AND created_at < $2 AND ${condition}
         RETURNING ${this.#columns}
       ) INSERT INTO partitions.${this.#target.table} (${this.#columns}) SELECT ${this.#columns} FROM moved`,
      [this.#target.from, this.#target.to, ...places],
    );
    return rowCount ?? 0;
  }
}
