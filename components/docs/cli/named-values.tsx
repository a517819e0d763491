import { LinkedHeading } from '@/components/docs/heading-link';

/** A section that says what each of some names means. */
export function NamedValues({
  id,
  title,
  values,
}: {
  id: string;
  title: string;
  values: readonly { name: string; meaning: string }[];
}) {
  return (
    <section id={id} data-heading="" aria-label={title} className="mt-8 scroll-mt-26 lg:scroll-mt-16">
      <LinkedHeading id={id}>{title}</LinkedHeading>
      <dl className="mt-3 divide-y rounded-lg border bg-surface">
        {values.map(({ name, meaning }) => (
          <div key={name} className="grid gap-1 px-3 py-2 text-sm sm:grid-cols-[14rem_1fr] sm:gap-4">
            <dt className="wrap-anywhere font-mono text-xs leading-5">{name}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
