import { Prose } from '@/components/docs/prose';

export interface NamedValue {
  name: string;
  /** As in the help of the command line: in lower case, with code in backticks. */
  meaning: string;
}

/** Names, such as options, with what each means. */
export function NameList({ values }: { values: readonly NamedValue[] }) {
  return (
    <dl className="divide-y rounded-lg border bg-surface">
      {values.map(({ name, meaning }) => (
        <div key={name} className="grid gap-1 px-3 py-2 text-sm sm:grid-cols-[14rem_1fr] sm:gap-4">
          <dt className="wrap-anywhere font-mono text-xs leading-5">{name}</dt>
          <dd className="wrap-anywhere text-muted">
            <Prose>{`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`}</Prose>
          </dd>
        </div>
      ))}
    </dl>
  );
}
