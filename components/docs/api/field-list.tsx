import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Prose } from '@/components/docs/prose';
import type { Field } from './describe-fields';

/** Longer lists of values are folded. */
const MAX_VALUES = 12;

/** The parameters of a call, or the fields of a body, one row each. */
export function FieldList({ fields, isInput }: { fields: readonly Field[]; isInput: boolean }) {
  return (
    <ul className="divide-y">
      {fields.map((field) => (
        <li key={field.name} className="py-3 first:pt-0 last:pb-0">
          <FieldRow field={field} isInput={isInput} />
        </li>
      ))}
    </ul>
  );
}

function FieldRow({ field, isInput }: { field: Field; isInput: boolean }) {
  const { name, type, isRequired, description, rules, default: preset } = field;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="wrap-anywhere font-medium font-mono text-[0.8125rem]">{name}</code>
        <span className="text-muted text-xs">{type}</span>
        {isInput && isRequired ? <span className="font-medium text-warning-text text-xs">required</span> : null}
        {!isInput && !isRequired ? <span className="text-muted text-xs">sometimes absent</span> : null}
      </p>
      {description === null ? null : (
        <p className="mt-0.5 text-muted text-sm">
          <Prose>{`${description}.`}</Prose>
        </p>
      )}
      {rules.length === 0 && preset === null ? null : (
        <p className="mt-0.5 text-muted text-xs">
          <Prose>{[...rules, ...(preset === null ? [] : [`default \`${preset}\``])].join(' · ')}</Prose>
        </p>
      )}
      <Values values={field.values} />
      {field.kinds.map((kind) => (
        <FoldedFields key={kind.label} {...kind} isInput={isInput} />
      ))}
    </>
  );
}

function Values({ values }: { values: readonly string[] }) {
  if (values.length === 0) return null;
  const list = (
    <ul className="mt-1.5 flex flex-wrap gap-1">
      {values.map((value) => (
        <li key={value} className="rounded border px-1.5 font-mono text-muted text-xs">
          {value}
        </li>
      ))}
    </ul>
  );
  return values.length <= MAX_VALUES ? list : <Expandable closed={`Show ${values.length} values`}>{list}</Expandable>;
}

/** Fields behind a line that opens them; nothing without fields. */
export function FoldedFields({
  fields,
  isInput,
  label = null,
}: {
  fields: readonly Field[];
  isInput: boolean;
  label?: string | null;
}) {
  if (fields.length === 0) return null;
  return (
    <Expandable closed={fields.length === 1 ? 'Show 1 field' : `Show ${fields.length} fields`} label={label}>
      <div className="mt-2 rounded-lg border bg-surface p-3.5">
        <FieldList fields={fields} isInput={isInput} />
      </div>
    </Expandable>
  );
}

/** Content behind a line that opens it, also without JavaScript. */
export function Expandable({
  closed,
  label = null,
  children,
}: {
  /** The line while the content is hidden: "Show 3 codes". */
  closed: string;
  /** Precedes the line: what the content is about. */
  label?: string | null;
  children: ReactNode;
}) {
  return (
    <details className="group/details mt-1.5">
      <summary className="inline-flex cursor-pointer list-none flex-wrap items-center gap-x-1 gap-y-0.5 rounded font-medium text-accent-text text-xs hover:underline [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-3.5 group-open/details:rotate-90" />
        {label === null ? null : <code className="mr-1 font-mono font-normal text-text">{label}</code>}
        <span className="group-open/details:hidden">{closed}</span>
        <span className="hidden group-open/details:inline">{closed.replace(/^Show/, 'Hide')}</span>
      </summary>
      {children}
    </details>
  );
}
