import { Download } from 'lucide-react';
import { GuideExample } from '@/components/docs/guide-example';
import { LinkedHeading } from '@/components/docs/linked-section';
import { Prose } from '@/components/docs/prose';
import { ReaderBar } from '@/components/docs/reader';
import { Button } from '@/components/ui/button';
import { TextLink } from '@/components/ui/link';
import type { Reference } from './make-reference';
import { TOPICS } from './topics';

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
                  <TextLink href={`/docs/api/${slug}`} prefetch={false}>
                    {name}
                  </TextLink>
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
      {TOPICS.map((topic) => (
        <TopicSection key={topic.id} topic={topic} />
      ))}
    </>
  );
}

/** Text on the left, code on the right. */
function TopicSection({ topic }: { topic: (typeof TOPICS)[number] }) {
  const { id, title, credentials, text, link, examples } = topic;
  return (
    <section
      id={id}
      data-heading=""
      aria-label={title}
      className="grid scroll-mt-26 gap-x-12 gap-y-5 border-t py-10 lg:scroll-mt-13 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="min-w-0">
        <LinkedHeading id={id}>{title}</LinkedHeading>
        <div className="mt-3 grid max-w-prose gap-3 text-base">
          {credentials === undefined ? null : (
            <dl className="grid gap-2.5">
              {credentials.map(({ name, header, text: meaning }) => (
                <div key={name}>
                  <dt className="flex flex-wrap items-baseline gap-x-2">
                    <span className="font-medium">{name}</span>
                    <code className="font-mono text-muted text-xs">{header}</code>
                  </dt>
                  <dd className="text-muted">
                    <Prose>{meaning}</Prose>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {text.map((paragraph) => (
            <p key={paragraph}>
              <Prose>{paragraph}</Prose>
            </p>
          ))}
          {link === undefined ? null : (
            <p>
              <TextLink href={link.href}>{link.label}</TextLink>
            </p>
          )}
        </div>
      </div>
      {examples.length === 0 ? null : (
        <div className="grid min-w-0 content-start gap-4">
          {examples.map((example) => (
            <GuideExample key={example.label} {...example} />
          ))}
        </div>
      )}
    </section>
  );
}
