import { Card } from '@/components/ui/card';
import { CapturedBody, type CapturedBodyProps } from './captured-body';
import { HeaderList } from './header-list';

/** The headers and the body of a logged request or response. */
export function MessageCard({
  title,
  headers,
  body,
}: {
  title: 'Request' | 'Response';
  headers: readonly (readonly [string, string])[] | null;
  body: Omit<CapturedBodyProps, 'label'>;
}) {
  return (
    <Card title={title}>
      <div className="grid min-w-0 gap-4">
        <section className="grid min-w-0 gap-2">
          <h3 className="font-medium text-sm">Headers</h3>
          <HeaderList label={`${title} headers`} headers={headers} />
        </section>
        <section className="grid min-w-0 gap-2">
          <h3 className="font-medium text-sm">Body</h3>
          <CapturedBody label={`${title} body`} {...body} />
        </section>
      </div>
    </Card>
  );
}
