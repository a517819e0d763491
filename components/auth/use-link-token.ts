'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';

/**
 * The token of the link from a mail that led here; empty when there is none. It is taken out of the address bar, so that
 * no history, bookmark, screenshot or referrer keeps it.
 */
export function useLinkToken(): string {
  const query = useSearchParams();
  const [token] = useState(() => query.get('token') ?? '');
  useEffect(() => {
    if (window.location.search !== '') window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}
