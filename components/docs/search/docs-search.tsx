'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from 'react';
import type { DocsSection } from '@/components/docs/docs-sections';
import { cn } from '@/components/ui/cn';
import { controlStyle } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';
import { findEntries, listSearchEntries, type SearchEntry } from './search-entries';
import { SearchResults } from './search-results';

const SEARCH_PATH = '/docs/search';

/**
 * Finds pages and calls by name, path, tag or id. A combobox (WAI-ARIA): the focus stays in the field. The last
 * result searches the text of the guides, as does the form before its script is loaded.
 */
export function DocsSearch({
  sections,
  input,
}: {
  sections: readonly DocsSection[];
  input: RefObject<HTMLInputElement | null>;
}) {
  const id = useId();
  const router = useRouter();
  const searched = useSearched();
  const [typed, setTyped] = useState(searched);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [shownSearch, setShownSearch] = useState(searched);
  // Not in an effect: the first one would replace what was typed before the script was loaded.
  if (shownSearch !== searched) {
    setShownSearch(searched);
    setTyped(searched);
  }
  const entries = useMemo(() => listSearchEntries(sections), [sections]);
  const results = useMemo(() => [...findEntries(entries, typed), ...textSearch(typed)], [entries, typed]);
  const isShown = isOpen && typed.trim() !== '';
  const close = () => {
    setIsOpen(false);
    setTyped(searched);
    input.current?.blur();
  };
  const follow = (href: string) => {
    close();
    router.push(href);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) setActive((active + step + results.length) % results.length);
    else if (event.key === 'Enter' && results[active] !== undefined) follow(results[active].href);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <search className="order-last w-full lg:order-none lg:ml-auto lg:w-80">
      <form action={SEARCH_PATH} className="relative">
        <Search aria-hidden="true" className="absolute top-2 left-2.5 size-4 text-muted" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search the documentation"
          aria-expanded={isShown}
          aria-controls={`${id}-results`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && results.length > 0 ? `${id}-${active}` : undefined}
          data-search=""
          name="q"
          maxLength={100}
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
            setIsOpen(true);
          }}
          onFocus={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onKeyDown={press}
          className={cn(controlStyle, 'h-8 pr-8 pl-8')}
        />
        {typed === '' ? (
          <span aria-hidden="true" className="absolute top-1.5 right-1.5 max-lg:hidden">
            <Kbd>/</Kbd>
          </span>
        ) : null}
        {isShown ? <SearchResults id={id} results={results} active={active} onFollow={follow} /> : null}
      </form>
    </search>
  );
}

/** Returns the query of the search page; empty on other pages. */
function useSearched(): string {
  const query = useSearchParams().get('q') ?? '';
  return usePathname() === SEARCH_PATH ? query : '';
}

function textSearch(typed: string): SearchEntry[] {
  const query = typed.trim();
  if (query === '') return [];
  const href = `${SEARCH_PATH}?${new URLSearchParams({ q: query })}`;
  return [{ href, title: `Search for “${query}” in the text of the guides`, page: 'Guides', call: undefined }];
}
