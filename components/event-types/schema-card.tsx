'use client';

import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { prettyJson } from '@/components/ui/format-json';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import { type SchemaRow, schemaRows } from './schema-rows';

/** The schema of a type, as a table of fields or as JSON. */
export function SchemaCard({ schema }: { schema: Record<string, unknown> | null }) {
  const [isJson, setJson] = useState(false);
  const rows = useMemo(() => (schema === null ? [] : schemaRows(schema)), [schema]);
  if (schema === null) {
    return (
      <Card title="Data">
        <p className="text-muted text-sm">No schema yet: receivers don’t know which fields there are.</p>
      </Card>
    );
  }
  const showsJson = isJson || rows.length === 0;
  return (
    <Card
      title="Data"
      description="The fields of data."
      flush
      actions={
        rows.length === 0 ? null : (
          <Button size="sm" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            {isJson ? 'Show fields' : 'Show JSON Schema'}
          </Button>
        )
      }
    >
      {showsJson ? (
        <CodeBlock label="JSON Schema" language="json" code={prettyJson(schema)} className="rounded-none border-0" />
      ) : (
        <RowsTable label="Fields of data" columns={COLUMNS} rows={rows} keyOf={({ path }) => path} />
      )}
    </Card>
  );
}

const COLUMNS: TableColumn<SchemaRow>[] = [
  {
    header: 'Field',
    className: 'min-w-0',
    cell: ({ path, isRequired }) => (
      <span className="wrap-anywhere font-mono text-xs">
        {path}
        {isRequired ? null : <span className="ml-2 font-sans text-muted">optional</span>}
      </span>
    ),
  },
  { header: 'Type', className: 'min-w-0', cell: ({ type }) => <span className="wrap-anywhere">{type}</span> },
  {
    header: 'Meaning',
    className: 'min-w-0',
    cell: ({ description, rules }) => (
      <span className="wrap-anywhere">
        {[description, ...rules].filter((each) => each !== null).join(' · ') || '–'}
      </span>
    ),
  },
];
