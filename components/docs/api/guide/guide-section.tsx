import type { ReactNode } from 'react';
import { LinkedHeading } from '@/components/docs/heading-link';
import { TOPICS, type Topic } from './topics';

/** One topic of the overview: text on the left, code on the right. */
export function GuideSection({ topic, example, children }: { topic: Topic; example?: ReactNode; children: ReactNode }) {
  return (
    <section
      id={topic}
      data-heading=""
      aria-label={TOPICS[topic]}
      className="grid scroll-mt-26 gap-x-12 gap-y-5 border-t py-10 lg:scroll-mt-13 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]"
    >
      <div className="min-w-0">
        <LinkedHeading id={topic}>{TOPICS[topic]}</LinkedHeading>
        <div className="mt-3 grid max-w-prose gap-3 text-base">{children}</div>
      </div>
      {example === undefined ? null : <div className="grid min-w-0 content-start gap-4">{example}</div>}
    </section>
  );
}
