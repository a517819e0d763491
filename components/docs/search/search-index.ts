import MiniSearch, { type Options } from 'minisearch';
import type { DocsSection } from '@/components/docs/docs-sections';

/** Something that the search finds: a page, a part of one, or a call. */
export interface SearchEntry {
  href: string;
  title: string;
  /** The page that it is on. */
  page: string;
  call: { id: string; method: string; path: string } | undefined;
}

export interface SearchMatch extends SearchEntry {
  /** The words of the entry that match, without their endings, in lowercase. */
  words: string[];
}

/** What is indexed of an entry. */
interface IndexedEntry extends SearchEntry {
  text: string;
  /** Method, path and id of its call. */
  names: string;
}

export type SearchIndex = MiniSearch<IndexedEntry>;

const MAX_WORDS = 8;

/** Words of questions that say nothing about the subject. */
const IGNORED = new Set(
  'a am an and are as at be but by can cannot could did do does doesn don for from had has have how i if in is isn it its me my no not of on or our should so than that the their then there they this to up was we were what when where which who why will with won would you your'.split(
    ' ',
  ),
);

const OPTIONS: Options<IndexedEntry> = {
  idField: 'href',
  fields: ['title', 'page', 'names', 'text'],
  storeFields: ['href', 'title', 'page', 'call'],
  processTerm: (term) => stem(term.toLowerCase()),
  searchOptions: {
    boost: { title: 5, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length < 5 ? false : term.length < 9 ? 1 : 2),
    weights: { prefix: 0.4, fuzzy: 0.2 },
  },
};

/** Returns a word without its ending; null for one that is not searched. */
function stem(word: string): string | null {
  if (word.length < 2 || IGNORED.has(word)) return null;
  return word.replace(/(?<=\w{2})(?:ies|ied)$/, 'y').replace(/(?<=\w{3})(?:ing|ed|es|ly|s|e)$/, '');
}

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

/** Indexes entries. @param texts the text of those that have some, by their paths */
export function makeIndex(entries: readonly SearchEntry[], texts: ReadonlyMap<string, string>): SearchIndex {
  const index: SearchIndex = new MiniSearch(OPTIONS);
  const own = new Map(entries.map((entry) => [entry.href, entry]));
  const namesOf = ({ call }: SearchEntry) => (call === undefined ? '' : `${call.method} ${call.path} ${call.id}`);
  index.addAll(
    [...own.values()].map((entry) => ({ ...entry, text: texts.get(entry.href) ?? '', names: namesOf(entry) })),
  );
  return index;
}

/** Reads an index that `JSON.stringify` wrote. */
export function readIndex(json: string): SearchIndex {
  return MiniSearch.loadJSON(json, OPTIONS);
}

/**
 * Returns the entries with every typed word, or, if there are none, with any of them: the best first, titles before texts. Words may be
 * unfinished or misspelled.
 */
export function findEntries(index: SearchIndex, typed: string, limit: number): SearchMatch[] {
  const query = MiniSearch.getDefault('tokenize')(typed).filter(Boolean).slice(0, MAX_WORDS).join(' ');
  const all = index.search(query, { combineWith: 'AND' });
  const found = all.length > 0 ? all : index.search(query);
  return found.slice(0, limit).map(({ href, title, page, call, terms }) => ({ href, title, page, call, words: terms }));
}
