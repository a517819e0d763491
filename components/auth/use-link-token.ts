'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';

/**
 * Returns the token of the emailed link; empty when there is none. Removes it from the address bar, so that no history,
 * bookmark, screenshot or referrer keeps it.
 */
export function useLinkToken(): string {
  const query = useSearchParams();
  const [token] = useState(() => query.get('token') ?? '');
  useEffect(() => {
    if (window.location.search !== '') window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}
