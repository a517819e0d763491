import type { ReactNode } from 'react';
import { LinkedHeading } from '@/components/docs/heading-link';
import { Markdown } from './markdown';
import type { Guide } from './parse-guide';

/** A page of the documentation that is written in Markdown; `children` follow its last part. */
export function GuidePage({ guide, children }: { guide: Guide; children?: ReactNode }) {
  const { lead, rest } = splitIntro(guide);
  return (
    <article className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">{guide.title}</h1>
      <div className="mt-3 grid min-w-0 gap-3">
        <div className="text-muted empty:hidden">
          <Markdown tokens={lead} />
        </div>
        <Markdown tokens={rest} />
      </div>
      {guide.parts.map(({ id, title, tokens }) => (
        <section key={id} id={id} data-heading="" aria-label={title} className="mt-8 scroll-mt-26 lg:scroll-mt-16">
          <LinkedHeading id={id}>{title}</LinkedHeading>
          <div className="mt-3 grid min-w-0 gap-3">
            <Markdown tokens={tokens} />
          </div>
        </section>
      ))}
      {children}
    </article>
  );
}

/** Returns the first paragraph of an introduction, which is the subtitle of the guide, and what follows it. */
function splitIntro({ intro }: Guide) {
  const length = intro[0]?.type === 'paragraph' ? 1 : 0;
  return { lead: intro.slice(0, length), rest: intro.slice(length) };
}
