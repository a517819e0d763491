import type { Reference } from '@/components/docs/api/reference-types';
import { LinkedHeading } from '@/components/docs/heading-link';
import { Link } from '@/components/ui/link';

/** Every method of the client, with what it does; each links to the call that it makes. */
export function MethodList({ reference }: { reference: Reference }) {
  const operations = reference.groups.flatMap(({ pages }) =>
    pages.flatMap(({ slug, operations: all }) => all.filter(hasMethod).map((each) => ({ slug, ...each }))),
  );
  return (
    <section id="methods" data-heading="" aria-label="Methods" className="mt-8 scroll-mt-26 lg:scroll-mt-16">
      <LinkedHeading id="methods">Methods</LinkedHeading>
      <ul className="mt-3 divide-y rounded-lg border bg-surface">
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
    </section>
  );
}

/** Some calls are for browsers, and have no method. */
function hasMethod({ request }: Reference['groups'][number]['pages'][number]['operations'][number]): boolean {
  return request.client !== null;
}
