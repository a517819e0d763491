import { Prose } from '@/components/docs/prose';
import { ReaderBar } from '@/components/docs/reader/reader-bar';
import { OperationSection } from './operation-section';
import type { ReferencePage } from './reference-types';

/** The calls of one tag. */
export function ReferencePageView({ page }: { page: ReferencePage }) {
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">{page.title}</h1>
          <p className="mt-1 max-w-prose text-muted">
            <Prose>{page.description}</Prose>
          </p>
        </div>
        <ReaderBar />
      </header>
      {page.operations.map((operation) => (
        <OperationSection key={operation.id} operation={operation} />
      ))}
    </>
  );
}
