import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import type { IncomingEventDetail } from '@/lib/incoming/schema';

/** The headers of an incoming event, in order of arrival. */
export function HeadersCard({ headers }: Pick<IncomingEventDetail, 'headers'>) {
  return (
    <Card
      title="Headers"
      description="Credentials such as Authorization, Cookie and tokens aren’t stored."
      actions={
        <CopyButton
          variant="secondary"
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
          label="Copy the headers"
        >
          Copy
        </CopyButton>
      }
      flush
    >
      {headers.length === 0 ? <p className="px-4 py-3 text-muted text-sm">No headers were stored.</p> : null}
      <dl className="divide-y">
        {headers.map(([name, value], index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a header can occur several times, and the list never changes
            key={index}
            className="grid gap-x-6 px-4 py-2 font-mono text-xs leading-5 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]"
          >
            <dt className="break-all text-muted">{name}</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
