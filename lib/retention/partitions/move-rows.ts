import type { SqlTransaction } from '@/lib/platform/db';
import type { Statement } from '@/lib/platform/sql/statement';
import { describeTable, type MoveOptions, moveRest, moveStretch } from './move-rows-sql';
import type { Branch, DayPartition } from './partitions';

/** Blocks of 8 kB that one statement reads. A move can be stopped between two statements. */
const BLOCKS_AT_ONCE = 2048;

/** Moves a default partition's rows of a period into a table that is not attached yet. Locks only these rows. */
export class RowMove {
  /** Returns the starts of the stretches of the default, for `moveStretch`. */
  readonly stretches: readonly number[];
  readonly #tx: SqlTransaction;
  readonly #period: readonly [Date, Date];
  readonly #stretch: Statement;
  readonly #rest: Statement;

  private constructor(tx: SqlTransaction, { from, to }: DayPartition, blocks: number, move: MoveOptions) {
    this.stretches = Array.from({ length: Math.ceil(blocks / BLOCKS_AT_ONCE) }, (_, place) => place * BLOCKS_AT_ONCE);
    this.#tx = tx;
    this.#period = [from, to];
    this.#stretch = moveStretch(move);
    this.#rest = moveRest(move);
  }

  static async prepare(tx: SqlTransaction, branch: Branch, target: DayPartition): Promise<RowMove> {
    const { blocks, columns } = await describeTable.one(tx, branch.defaultTable);
    return new RowMove(tx, target, Number(blocks), {
      from: branch.defaultTable,
      to: `partitions.${target.table}`,
      columns,
    });
  }

  /** @returns how many rows it moved */
  async moveStretch(start: number): Promise<number> {
    return this.#stretch.run(this.#tx, ...this.#period, `(${start},0)`, `(${start + BLOCKS_AT_ONCE},0)`);
  }

  /** Moves rows added since. Reads the entire default. */
  async moveRest(): Promise<number> {
    return this.#rest.run(this.#tx, ...this.#period);
  }
}
