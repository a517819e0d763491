import type { Metadata } from 'next';
import { loadIndex, loadTexts } from '@/app/docs/content';
import { makeExcerpt } from '@/components/docs/search/excerpt';
import { findEntries } from '@/components/docs/search/search-index';
import { SearchPage } from '@/components/docs/search/search-page';

export const metadata: Metadata = { title: 'Search' };

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

const MAX_TYPED_CHARS = 100;
const MAX_MATCHES = 32;

export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const typed = (Array.isArray(q) ? q.join(' ') : (q ?? '')).trim().slice(0, MAX_TYPED_CHARS);
  const [index, texts] = await Promise.all([loadIndex(), loadTexts()]);
  const matches = findEntries(index, typed, MAX_MATCHES);
  const found = matches.flatMap((match) => {
    const text = texts.get(match.href);
    return text === undefined ? [] : [{ ...match, excerpt: makeExcerpt(text.paragraphs, match.words) }];
  });
  return <SearchPage typed={typed} names={matches.filter(({ href }) => !texts.has(href))} texts={found} />;
}
