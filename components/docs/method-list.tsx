import { Link } from '@/components/ui/link';
import type { Reference } from './api/make-reference';
import { LinkedSection } from './linked-section';

/** Every method of the client, with what it does; each links to the call that it makes. */
export function MethodList({ reference }: { reference: Reference }) {
  const operations = reference.groups
    .flatMap(({ pages }) => pages.flatMap((page) => page.operations.map((each) => ({ slug: page.slug, ...each }))))
    // Some calls are for browsers, and have no method.
    .filter(({ request }) => request.client !== null);
  return (
    <LinkedSection id="methods" title="Methods">
      <ul className="divide-y rounded-lg border bg-surface">
        {operations.map(({ id, slug, anchor, title }) => (
          <li key={id} className="grid gap-1 px-3 py-2 text-sm sm:grid-cols-[18rem_1fr] sm:gap-4">
            <Link
              href={`/docs/api/${slug}#${anchor}`}
              prefetch={false}
              className="wrap-anywhere font-mono text-accent-text text-xs leading-5 hover:underline"
            >
              client.{id}
            </Link>
            <span className="text-muted">{title}</span>
          </li>
        ))}
      </ul>
    </LinkedSection>
  );
}
