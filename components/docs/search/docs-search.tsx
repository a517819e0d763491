'use client';

import { FileText, Search } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useState } from 'react';
import { MethodBadge } from '@/components/docs/api/badges';
import { cn } from '@/components/ui/cn';
import { controlStyle } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';
import type { SearchEntry } from './search-index';

const SEARCH_PATH = '/docs/search';
const INDEX_PATH = '/docs/search-index';
const MAX_RESULTS = 12;

type Find = (typed: string) => SearchEntry[];

/**
 * Finds pages, calls and text of the guides. A combobox (WAI-ARIA): the focus stays in the field. The last result is
 * the page of all results, which the form also opens before its script or the index is loaded.
 */
export function DocsSearch({ input }: { input: RefObject<HTMLInputElement | null> }) {
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
  const find = useFind(isOpen);
  const results = useMemo(() => [...(find?.(typed) ?? []), ...allResults(typed)], [find, typed]);
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

/** Returns what searches the documentation; null until it is loaded, which begins with the first search. */
function useFind(isNeeded: boolean): Find | null {
  const [find, setFind] = useState<Find | null>(null);
  const isMissing = isNeeded && find === null;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    loadFind().then(
      (loaded) => isGone || setFind(() => loaded),
      // The page of all results needs no index; the next search tries again.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isMissing]);
  return find;
}

async function loadFind(): Promise<Find> {
  const [{ findEntries, readIndex }, response] = await Promise.all([import('./search-index'), fetch(INDEX_PATH)]);
  if (!response.ok) throw new Error(`The search index answers ${response.status}.`);
  const index = readIndex(await response.text());
  return (typed) => findEntries(index, typed, MAX_RESULTS);
}

function allResults(typed: string): SearchEntry[] {
  const query = typed.trim();
  if (query === '') return [];
  const href = `${SEARCH_PATH}?${new URLSearchParams({ q: query })}`;
  return [{ href, title: `Show all results for “${query}”`, page: 'With text of the guides', call: undefined }];
}

/** The results below the search field; the active one is that which Enter opens. */
function SearchResults({
  id,
  results,
  active,
  onFollow,
}: {
  /** Prefixes the ids of the list and its options. */
  id: string;
  results: readonly SearchEntry[];
  active: number;
  onFollow: (href: string) => void;
}) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div className="absolute inset-x-0 top-full mt-1.5 animate-enter overflow-hidden rounded-lg bg-surface shadow-floating lg:left-auto lg:w-128">
      <div
        id={`${id}-results`}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1"
      >
        {results.map((entry, index) => (
          <Option
            key={entry.href}
            id={`${id}-${index}`}
            entry={entry}
            isActive={index === active}
            onFollow={onFollow}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {`${results.length} results`}
      </p>
    </div>
  );
}

function Option({
  id,
  entry,
  isActive,
  onFollow,
}: {
  id: string;
  entry: SearchEntry;
  isActive: boolean;
  onFollow: (href: string) => void;
}) {
  const { title, page, call } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      // Keeps the focus in the field, whose blur would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onFollow(entry.href)}
      className={cn(
        'flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-2 hover:bg-sunken',
        isActive && 'bg-sunken',
      )}
    >
      <span className="flex w-10 shrink-0 justify-center">
        {call === undefined ? (
          <FileText aria-hidden="true" className="size-4 text-muted" />
        ) : (
          <MethodBadge method={call.method} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{title}</span>
        <span className="block truncate text-muted text-xs">
          {page}
          {call === undefined ? null : <span className="font-mono"> · {call.path}</span>}
        </span>
      </span>
    </div>
  );
}
