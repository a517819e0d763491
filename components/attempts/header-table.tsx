import { CopyButton } from '@/components/ui/copy-button';

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers of a request or a response as a table with two columns. */
export function HeaderTable({ label, headers, isCut = false }: { label: string; headers: Headers; isCut?: boolean }) {
  if (headers.length === 0) return <p className="text-muted text-sm">None.</p>;
  return (
    <div className="relative min-w-0 rounded-lg border">
      <table className="w-full table-fixed font-mono text-xs leading-5">
        <caption className="sr-only">{label}</caption>
        <colgroup>
          <col className="w-[42%] sm:w-56" />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
            <tr key={index} className="group/row border-b align-top last:border-b-0">
              <th scope="row" className="break-words py-1.5 pr-3 pl-3.5 text-left font-normal text-muted">
                {name}
              </th>
              <td className="break-words py-1.5 pr-3 group-first/row:pr-12">
                {value === '[redacted]' ? <span className="text-muted">hidden</span> : value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut ? (
        <p className="border-t px-3.5 py-1.5 text-muted text-xs">More headers arrived. Only these were stored.</p>
      ) : null}
      <CopyButton
        variant="secondary"
        className="absolute top-1.5 right-1.5"
        label={`Copy ${label.toLowerCase()}`}
        text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
      />
    </div>
  );
}
