import type pg from 'pg';

/** A column of a statement's result, as the server describes it. */
export interface DescribedColumn {
  name: string;
  pgType: string;
  /** The column of a table that it shows unchanged may be null; null for an expression. */
  isTableNullable: boolean | null;
}

/** What a statement takes and returns, as the server describes it. */
export interface DescribedStatement {
  /** PostgreSQL's names of the types of `$1`, `$2` … */
  params: string[];
  columns: DescribedColumn[];
}

interface RowDescription {
  fields: { name: string; tableID: number; columnID: number; dataTypeID: number }[];
}

interface Description extends RowDescription {
  paramTypes: number[];
}

/** pg's connection below its public types. */
interface Protocol {
  connection: {
    parse(query: { text: string }): void;
    describe(message: { type: 'S'; name: string }): void;
    sync(): void;
    once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
  };
}

/** Lets the server parse and plan a statement without running it. */
export async function describeStatement(client: pg.PoolClient, sql: string): Promise<DescribedStatement> {
  const { fields, paramTypes } = await requestDescription(client, sql);
  const { rows: params } = await client.query<{ pg_type: string }>(
    `SELECT t.typname AS pg_type FROM unnest($1::oid[]) WITH ORDINALITY AS p(id, place) JOIN pg_type t ON t.oid = p.id ORDER BY place`,
    [paramTypes],
  );
  const { rows } = await client.query<{ pg_type: string; is_nullable: boolean | null }>(
    `SELECT t.typname AS pg_type, NOT a.attnotnull AS is_nullable
     FROM unnest($1::oid[], $2::oid[], $3::int[]) WITH ORDINALITY AS f(type_id, table_id, column_id, place)
     JOIN pg_type t ON t.oid = f.type_id
     LEFT JOIN pg_attribute a ON a.attrelid = f.table_id AND a.attnum = f.column_id
     ORDER BY f.place`,
    [fields.map((field) => field.dataTypeID), fields.map((field) => field.tableID), fields.map((f) => f.columnID)],
  );
  const columns = fields.map(({ name }, place) => ({
    name,
    pgType: rows[place]?.pg_type ?? 'unknown',
    isTableNullable: rows[place]?.is_nullable ?? null,
  }));
  return { params: params.map((param) => param.pg_type), columns };
}

/** Sends Parse, Describe and Sync as one query of pg's queue. */
function requestDescription(client: pg.PoolClient, sql: string): Promise<Description> {
  return new Promise((resolve, reject) => {
    let fields: RowDescription['fields'] = [];
    let paramTypes: number[] = [];
    const request = {
      submit({ parse, describe, sync, once }: Protocol['connection']) {
        once('parameterDescription', ({ dataTypeIDs }) => {
          paramTypes = dataTypeIDs;
        });
        parse({ text: sql });
        describe({ type: 'S', name: '' });
        sync();
      },
      handleRowDescription: (message: RowDescription) => {
        fields = message.fields;
      },
      handleReadyForQuery: () => resolve({ fields, paramTypes }),
      handleError: reject,
    };
    client.query({ ...request, submit: bindSubmit(request.submit) } as never);
  });
}

function bindSubmit(submit: (connection: Protocol['connection']) => void) {
  return (connection: Protocol['connection']) =>
    submit({
      ...connection,
      parse: connection.parse.bind(connection),
      describe: connection.describe.bind(connection),
      sync: connection.sync.bind(connection),
      once: connection.once.bind(connection),
    });
}
