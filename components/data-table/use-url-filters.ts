'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { countActive, type Filters, readFilters, writeFilters } from './url-filters';

/** The filters of a list and how they change. */
export interface UrlFilters<Name extends string> {
  filters: Filters<Name>;
  /** How many filters are set. */
  active: number;
  /** Sets the named filters; undefined removes one. */
  setFilters: (change: Partial<Filters<Name>>) => void;
  clear: () => void;
}

/**
 * Keeps filters in the URL, so that a filtered list survives links, reloads and the Back button.
 * `names` must be stable (module scope).
 */
export function useUrlFilters<Name extends string>(names: readonly Name[]): UrlFilters<Name> {
  const search = useSearchParams().toString();
  const pathname = usePathname();
  const router = useRouter();
  const filters = useMemo(() => readFilters(search, names), [search, names]);
  // A second change may come before the router has made the first.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const setFilters = useCallback(
    (change: Partial<Filters<Name>>) => {
      const next = writeFilters(latest.current, change);
      latest.current = next;
      router.replace(next === '' ? pathname : `${pathname}?${next}`, { scroll: false });
    },
    [pathname, router],
  );
  const clear = useCallback(
    () => setFilters(Object.fromEntries(names.map((name) => [name, undefined])) as Record<Name, undefined>),
    [setFilters, names],
  );
  return { filters, setFilters, clear, active: countActive(filters) };
}
