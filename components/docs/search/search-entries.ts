import type { DocsSection } from '@/components/docs/docs-sections';
import { matchesWords } from '@/components/shell/matches-words';

/** Something that the search finds. */
export interface SearchEntry {
  href: string;
  title: string;
  /** The page that it is on. */
  page: string;
  call: { id: string; method: string; path: string } | undefined;
}

const MAX_RESULTS = 12;

/** Returns everything that the search can find: the pages, and the entries of each. */
export function listSearchEntries(sections: readonly DocsSection[]): SearchEntry[] {
  return sections.flatMap((section) => {
    const pages = section.groups.flatMap((group) => group.pages);
    if (pages.length === 0) return [{ href: section.href, title: section.title, page: '', call: undefined }];
    return pages.flatMap((page) => [
      { href: page.href, title: page.title, page: section.title, call: undefined },
      ...page.entries.map(({ href, title, call }) => ({ href, title, page: page.title, call })),
    ]);
  });
}

/**
 * Returns the entries that contain every typed word in their title, page, path, method or id: those with all of them in
 * title and page first.
 */
export function findEntries(entries: readonly SearchEntry[], typed: string): SearchEntry[] {
  if (typed.trim() === '') return [];
  const named: SearchEntry[] = [];
  const others: SearchEntry[] = [];
  for (const entry of entries) {
    const name = `${entry.page} ${entry.title}`;
    const { method = '', path = '', id = '' } = entry.call ?? {};
    if (matchesWords(name, typed)) named.push(entry);
    else if (matchesWords(`${name} ${method} ${path} ${id}`, typed)) others.push(entry);
  }
  return [...named, ...others].slice(0, MAX_RESULTS);
}
