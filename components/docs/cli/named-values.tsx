import { LinkedHeading } from '@/components/docs/heading-link';
import { type NamedValue, NameList } from './name-list';

/** A section that says what each of some names means. */
export function NamedValues({ id, title, values }: { id: string; title: string; values: readonly NamedValue[] }) {
  return (
    <section id={id} data-heading="" aria-label={title} className="mt-8 scroll-mt-26 lg:scroll-mt-16">
      <LinkedHeading id={id}>{title}</LinkedHeading>
      <div className="mt-3">
        <NameList values={values} />
      </div>
    </section>
  );
}
