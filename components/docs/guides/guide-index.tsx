import type { NamedGuide } from '@/components/docs/make-sections';
import { plainText } from '@/components/docs/markdown/parse-guide';
import { Link, TextLink } from '@/components/ui/link';
import { GUIDE_GROUPS, GUIDES_PATH, START_LINKS } from './guide-groups';

/** Where each reader starts, then all guides with the first sentence of each, by group. */
export function GuideIndex({ guides }: { guides: readonly NamedGuide[] }) {
  return (
    <article className="max-w-4xl">
      <h1 className="font-semibold text-2xl tracking-tight">Guides</h1>
      <p className="mt-3 text-muted">How to send events, receive them, and run the service.</p>
      <div className="mt-6 grid gap-x-4 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {START_LINKS.map(({ role, links }) => (
          <section key={role} aria-label={role}>
            <h2 className="font-semibold">{role}</h2>
            <ol className="mt-2 grid list-decimal gap-1.5 pl-5 text-sm marker:text-muted">
              {links.map(({ title, href }) => (
                <li key={href}>
                  <TextLink href={href} prefetch={false}>
                    {title}
                  </TextLink>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {GUIDE_GROUPS.map(({ title, slugs }) => (
        <section key={title} aria-label={title} className="mt-8">
          <h2 className="font-semibold text-lg">{title}</h2>
          <ul className="mt-3 grid gap-3 sm:grid-cols-2">
            {guides
              .filter(({ slug }) => slugs.includes(slug))
              .map((named) => (
                <li key={named.slug}>
                  <GuideCard {...named} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function GuideCard({ slug, guide }: NamedGuide) {
  return (
    <Link
      href={`${GUIDES_PATH}/${slug}`}
      prefetch={false}
      className="block h-full rounded-lg border bg-surface px-4 py-3 shadow-raised hover:bg-sunken"
    >
      <span className="font-medium">{guide.title}</span>
      <span className="mt-1 block text-muted text-sm">{firstSentence(plainText(guide.intro))}</span>
    </Link>
  );
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?= |$)/s.exec(text)?.[0] ?? text;
}
