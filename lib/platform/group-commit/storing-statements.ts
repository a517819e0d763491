import { type Columns, Statement } from '@/lib/platform/sql/statement';

interface Template<C extends Columns> {
  /** Begins the names of the prepared statements, such as `store-events`. */
  name: string;
  /** The parameters before those of the rows. The first one is the lock timeout. */
  leading?: number;
  /** The types of the values of a row, which follow. Each row has its place before its values. */
  columnTypes: readonly string[];
  /** The result columns. */
  columns: C;
  /** Target of ON CONFLICT on the first try. A repeat may conflict with any unique value of its own earlier try. */
  conflict: string;
  text(tuples: string, conflict: string): string;
}

/** The statements that store 1 to 64 rows, each made once: rows are passed as multi-row VALUES, so their number is in the text. */
export class StoringStatements<C extends Columns> {
  private readonly made = new Map<string, Statement<C>>();

  constructor(private readonly template: Template<C>) {}

  /** Returns the name and the text of the statement for a number of rows. */
  of(count: number, mayBeStored: boolean): { name: string; text: string } {
    const name = `${this.template.name}-${mayBeStored ? 'repeat-' : ''}${count}`;
    let made = this.made.get(name);
    if (made === undefined) {
      made = this.make(count, mayBeStored);
      this.made.set(name, made);
    }
    return { name, text: made.text };
  }

  /** The statements for one row and for two, so that a test can check their columns. */
  get samples(): Statement<C>[] {
    return [1, 2].flatMap((count) => [this.make(count, false), this.make(count, true)]);
  }

  private make(count: number, mayBeStored: boolean): Statement<C> {
    const { leading = 1, columnTypes, columns, conflict, text } = this.template;
    const tuples = Array.from({ length: count }, (_, n) => {
      const values = columnTypes.map((type, column) => `$${leading + n * columnTypes.length + column + 1}::${type}`);
      return `(${n}, ${values.join(', ')})`;
    });
    return new Statement(text(tuples.join(', '), mayBeStored ? '' : conflict), columns);
  }
}
