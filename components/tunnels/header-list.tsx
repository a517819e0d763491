/** The headers of a logged message. */
export function HeaderList({
  label,
  headers,
}: {
  label: string;
  headers: readonly (readonly [string, string])[] | null;
}) {
  if (headers === null) return <p className="text-muted text-sm">Not stored.</p>;
  if (headers.length === 0) return <p className="text-muted text-sm">None.</p>;
  return (
    <dl aria-label={label} className="grid gap-y-1.5 font-mono text-xs sm:grid-cols-[minmax(9rem,auto)_1fr] sm:gap-x-4">
      {headers.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
        <div key={index} className="grid sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="break-all text-muted">{name}</dt>
          <dd className="min-w-0 break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
