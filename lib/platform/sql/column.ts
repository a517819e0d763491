/**
 * The declared type of a result column or a parameter: PostgreSQL's name of the type, the type `T` that the driver returns, and the type
 * `In` that it takes.
 */
export interface Column<T, In = T> {
  /** As in pg_type.typname, for example `int4`, or the name of an enum. */
  readonly pgType: string;
  readonly isNullable: boolean;
  /** The statement returns only rows in which this nullable table column is set. */
  readonly isKnownToBeSet: boolean;
  /** Carries the type alone; never set. */
  readonly type?: T;
  /** Carries the type alone; never set. */
  readonly input?: In;
}

const make = <T, In = T>(pgType: string): Column<T, In> => ({ pgType, isNullable: false, isKnownToBeSet: false });

export const uuid = make<string>('uuid');
export const text = make<string>('text');
export const varchar = make<string>('varchar');
/** The name of a table, a column or the like in the catalog. */
export const catalogName = make<string>('name');
/** A table or a sequence, which the caller writes as its name. */
export const regclass = make<string>('regclass');
/** The id of a table, a type or the like in the catalog. */
export const oid = make<number>('oid');
/** The place of a row in its table, as PostgreSQL writes it: `(0,1)`. */
export const tid = make<string>('tid');
export const boolean = make<boolean>('bool');
export const integer = make<number>('int4');
export const float = make<number>('float8');
/** The driver returns an int8 as text, because a number cannot hold all its values. */
export const bigint = make<string, string | number | bigint>('int8');
/** Also the sum of int8 values. The driver returns it as text, for the same reason. */
export const numeric = make<string, string | number>('numeric');
export const timestamp = make<Date>('timestamptz');
/** A parameter whose caller writes the time as PostgreSQL does, for example because it sends one back that it read as text. */
export const writtenTimestamp = make<Date, string>('timestamptz');
export const bytes = make<Buffer>('bytea');
export const json = make<unknown>('jsonb');
export const booleans = make<boolean[], readonly boolean[]>('_bool');
export const oids = make<number[], readonly number[]>('_oid');
export const integers = make<number[], readonly number[]>('_int4');
/** A parameter whose caller writes the array as PostgreSQL does: `{1,NULL}`. */
export const writtenIntegers = make<number[], string>('_int4');
export const bigints = make<string[], readonly (string | number | bigint)[]>('_int8');
export const floats = make<number[], readonly number[]>('_float8');
export const uuids = make<string[], readonly string[]>('_uuid');
/** A parameter whose caller writes the array as PostgreSQL does. */
export const writtenUuids = make<string[], string>('_uuid');
export const texts = make<string[], readonly string[]>('_text');
/** A parameter whose caller writes the array with `toBinaryTexts`. */
export const binaryTexts = make<string[], Buffer>('_text');
export const timestamps = make<Date[], readonly (Date | string)[]>('_timestamptz');
export const byteStrings = make<Buffer[], readonly Buffer[]>('_bytea');

/** The result of a function that returns nothing, such as pg_notify. */
export const nothing = make<''>('void');

/** A JSON column whose shape the statement or a constraint of the table guarantees. */
export const jsonOf = <T>(pgType: 'json' | 'jsonb' = 'jsonb'): Column<T> => make<T>(pgType);

/** A column of an enum type of the database. */
export const enumOf = <T extends string>(name: string): Column<T> => make<T>(name);

/** An array of an enum type of the database. */
export const enumsOf = <T extends string>(name: string): Column<T[], readonly T[]> =>
  make<T[], readonly T[]>(`_${name}`);

/** A text that takes only these values. */
export const textOf = <T extends string>(): Column<T> => make<T>('text');

/** The column or parameter can be null. */
export const nullable = <T, In>(column: Column<T, In>): Column<T | null, In | null> =>
  ({ ...column, isNullable: true }) as Column<T | null, In | null>;

/** The array can have nulls. */
export const withNulls = <T, In>(column: Column<T[], readonly In[]>): Column<(T | null)[], readonly (In | null)[]> =>
  column as Column<(T | null)[], readonly (In | null)[]>;

/** The table allows null, but the statement's own conditions exclude it. */
export const knownToBeSet = <T>(column: Column<T>): Column<T> => ({ ...column, isKnownToBeSet: true });
