import { Prose } from '@/components/docs/prose';
import { Expandable } from './expandable';
import type { Field, FieldKind } from './schema/field';

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
        <Kind key={kind.label} kind={kind} isInput={isInput} />
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

function Kind({ kind, isInput }: { kind: FieldKind; isInput: boolean }) {
  const { label, fields } = kind;
  if (fields.length === 0) return null;
  const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  return (
    <Expandable closed={`Show ${count}`} opened={`Hide ${count}`} label={label}>
      <div className="mt-2 rounded-lg border bg-surface p-3.5">
        <FieldList fields={fields} isInput={isInput} />
      </div>
    </Expandable>
  );
}
