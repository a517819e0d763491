/** The declared type of a result column: PostgreSQL's name of the type, and the type `T` that the driver returns. */
export interface Column<T> {
  /** As in pg_type.typname, for example `int4`, or the name of an enum. */
  readonly pgType: string;
  readonly isNullable: boolean;
  /** The statement returns only rows in which this nullable table column is set. */
  readonly isKnownToBeSet: boolean;
  /** Carries the type alone; never set. */
  readonly type?: T;
}

const make = <T>(pgType: string): Column<T> => ({ pgType, isNullable: false, isKnownToBeSet: false });

export const uuid = make<string>('uuid');
export const text = make<string>('text');
export const varchar = make<string>('varchar');
/** The name of a table, a column or the like in the catalog. */
export const catalogName = make<string>('name');
/** The id of a table, a type or the like in the catalog. */
export const oid = make<number>('oid');
export const boolean = make<boolean>('bool');
export const integer = make<number>('int4');
export const float = make<number>('float8');
/** The driver returns an int8 as text, because a number cannot hold all its values. */
export const bigint = make<string>('int8');
/** Also the sum of int8 values. The driver returns it as text, for the same reason. */
export const numeric = make<string>('numeric');
export const timestamp = make<Date>('timestamptz');
export const bytes = make<Buffer>('bytea');
export const json = make<unknown>('jsonb');
export const integers = make<number[]>('_int4');
export const uuids = make<string[]>('_uuid');
export const texts = make<string[]>('_text');

/** The result of a function that returns nothing, such as pg_notify. */
export const nothing = make<''>('void');

/** A JSON column whose shape the statement or a constraint of the table guarantees. */
export const jsonOf = <T>(pgType: 'json' | 'jsonb' = 'jsonb'): Column<T> => make<T>(pgType);

/** A column of an enum type of the database. */
export const enumOf = <T extends string>(name: string): Column<T> => make<T>(name);

/** A text that takes only these values. */
export const textOf = <T extends string>(): Column<T> => make<T>('text');

/** The column can be null. */
export const nullable = <T>(column: Column<T>): Column<T | null> =>
  ({ ...column, isNullable: true }) as Column<T | null>;

/** The table allows null, but the statement's own conditions exclude it. */
export const knownToBeSet = <T>(column: Column<T>): Column<T> => ({ ...column, isKnownToBeSet: true });
