import { bigint, text } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Returns the size of the table $1 in blocks, and the quoted names of its columns. */
export const describeTable = statement(
  `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS blocks,
     string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
   FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
  { blocks: bigint, columns: text },
);

export interface MoveOptions {
  /** Schema and table, quoted. */
  from: string;
  to: string;
  /** The columns of both, quoted. */
  columns: string;
}

const move = ({ from, to, columns }: MoveOptions, condition: string) =>
  statement(
    `WITH moved AS (
       DELETE FROM ${from} WHERE created_at >= $1 AND created_at < $2 AND ${condition}
       RETURNING ${columns}
     ) INSERT INTO ${to} (${columns}) SELECT ${columns} FROM moved`,
  );

/** Makes the statement that moves rows of a period into another table. $1 and $2 period, $3 and $4 the places between which they are. */
export const moveStretch = (options: MoveOptions) => move(options, 'ctid >= $3::tid AND ctid < $4::tid');

/** The same for rows at any place. */
export const moveRest = (options: MoveOptions) => move(options, 'true');
