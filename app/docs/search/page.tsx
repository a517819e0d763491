import type { Metadata } from 'next';
import { loadSections, loadTexts } from '@/app/docs/content';
import { GUIDES_PATH } from '@/components/docs/guides/guide-groups';
import { findText } from '@/components/docs/search/find-text';
import { findEntries, listSearchEntries } from '@/components/docs/search/search-entries';
import { SearchPage } from '@/components/docs/search/search-page';

export const metadata: Metadata = { title: 'Search' };

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

const MAX_TYPED_CHARS = 100;

export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const typed = (Array.isArray(q) ? q.join(' ') : (q ?? '')).trim().slice(0, MAX_TYPED_CHARS);
  const [sections, texts] = await Promise.all([loadSections(), loadTexts()]);
  const names = findEntries(listSearchEntries(sections.filter(({ href }) => href !== GUIDES_PATH)), typed);
  return <SearchPage typed={typed} names={names} texts={findText(texts, typed)} />;
}
