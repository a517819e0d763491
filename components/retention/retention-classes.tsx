import { Fragment } from 'react';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import { ExplainedText } from '@/components/ui/tooltip';
import type { OwnData } from '@/lib/retention/schema';
import { DATA_CLASS_LABELS, formatRule } from './retention-labels';

const COLUMNS: TableColumn<OwnData>[] = [
  { header: 'Data', className: 'py-2.5', cell: ({ data }) => <NameAndPurpose {...DATA_CLASS_LABELS[data]} /> },
  { header: 'Kept for', cell: (own) => <KeptFor rule={own} /> },
  { header: 'Rows', align: 'end', cell: (own) => <Rows own={own} /> },
  { header: 'Oldest', cell: ({ oldestAt }) => (oldestAt === null ? <NoValue /> : <RelativeTime at={oldestAt} />) },
  {
    header: 'Next deletion',
    cell: ({ nextRemovalAt }) => <MaybeTime at={nextRemovalAt} otherwise="Nothing to delete" />,
  },
];

/** Each data class: its rule, and the rows of the organization. */
export function RetentionClasses({ classes }: { classes: readonly OwnData[] }) {
  return <RowsTable label="What is kept" columns={COLUMNS} rows={classes} keyOf={({ data }) => data} />;
}

/** The first cell of a row: what it is about. */
export function NameAndPurpose({ label, about }: { label: string; about: string }) {
  return (
    <span className="block min-w-0">
      <span className="font-medium">{label}</span>
      <span className="block text-muted text-xs">{about}</span>
    </span>
  );
}

type Rule = Pick<OwnData, 'days' | 'perDelivery' | 'variable' | 'isDefault'>;

/** The limit, with the variable that sets it in a tooltip. */
function KeptFor({ rule }: { rule: Rule }) {
  if (rule.variable === null) return <RuleCell own={rule} />;
  const explanation = (
    <>
      The operator sets this with <Variable name={rule.variable} />.
    </>
  );
  return (
    <ExplainedText explanation={explanation}>
      <Limit rule={rule} />
    </ExplainedText>
  );
}

/** The limit, and the variable that sets it. */
export function RuleCell({ own: rule }: { own: Rule }) {
  return (
    <span className="block min-w-0">
      <span className="whitespace-nowrap">
        <Limit rule={rule} />
      </span>
      <span className="wrap-anywhere block text-muted text-xs">
        {rule.variable === null ? 'Not configurable' : <Variable name={rule.variable} />}
      </span>
    </span>
  );
}

function Limit({ rule }: { rule: Rule }) {
  return (
    <>
      {formatRule(rule)}
      {rule.isDefault ? null : <span className="text-muted"> (changed)</span>}
    </>
  );
}

/** Breaks long names after underscores. */
function Variable({ name }: { name: string }) {
  return (
    <code className="font-mono">
      {name.split(/(?<=_)/).map((part) => (
        <Fragment key={part}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function Rows({ own: { rows, isAtLeast } }: { own: OwnData }) {
  if (rows === null) return <NoValue label="Not counted" />;
  return isAtLeast ? `${roundDown(rows).toLocaleString('en-GB')}+` : rows.toLocaleString('en-GB');
}

/** Rounds an incomplete count to two digits. */
function roundDown(rows: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(rows, 1))) - 1);
  return Math.floor(rows / unit) * unit;
}

/** A time, or what holds without one. */
export function MaybeTime({ at, otherwise }: { at: string | null; otherwise: string }) {
  return at === null ? <span className="text-muted">{otherwise}</span> : <RelativeTime at={at} />;
}
