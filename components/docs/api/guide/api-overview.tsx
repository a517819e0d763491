import { Download } from 'lucide-react';
import type { Reference } from '@/components/docs/api/reference-types';
import { ReaderBar } from '@/components/docs/reader/reader-bar';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { RequestTopics } from './requests';
import { ResponseTopics } from './responses';

/** The first page of the reference: its resources, and what all calls have in common. */
export function ApiOverview({ reference }: { reference: Reference }) {
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 className="font-semibold text-2xl tracking-tight">API reference</h1>
          <p className="mt-1 max-w-prose text-muted">Send events, receive webhooks, and track every delivery.</p>
        </div>
        <ReaderBar />
      </header>
      <div className="mt-8 mb-10 grid gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-3">
        {reference.groups.map(({ title, pages }) => (
          <div key={title}>
            <h2 className="mb-1.5 font-semibold text-sm">{title}</h2>
            <ul className="grid gap-1.5">
              {pages.map(({ slug, title: name, description }) => (
                <li key={slug} className="text-sm">
                  <Link
                    href={`/docs/api/${slug}`}
                    prefetch={false}
                    className="font-medium text-accent-text hover:underline"
                  >
                    {name}
                  </Link>
                  <p className="text-muted text-xs">{description}</p>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div>
          <h2 className="mb-1.5 font-semibold text-sm">For tools</h2>
          <Button asChild>
            <a href="/api/v1/openapi.json" download="openapi.json">
              <Download aria-hidden="true" />
              OpenAPI 3.1
            </a>
          </Button>
          <p className="mt-1.5 text-muted text-xs">Version {reference.version}, for generators and API clients.</p>
        </div>
      </div>
      <RequestTopics />
      <ResponseTopics />
    </>
  );
}
