'use client';

import { useEffect, useState } from 'react';

/** The part of the window in which a heading is the current one: below the header, and well above the end. */
const MARGIN = '-72px 0px -70% 0px';

/** Returns the id of the element with `data-heading` that the reader is at; null above the first one. */
export function useCurrentHeading(pathname: string): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings
  useEffect(() => {
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) isIntersecting ? visible.add(target) : visible.delete(target);
        const first = headings.find((heading) => visible.has(heading));
        if (first !== undefined) setCurrent(first.id);
        else if (window.scrollY < 100) setCurrent(null);
      },
      { rootMargin: MARGIN },
    );
    const headings = [...document.querySelectorAll('[data-heading]')];
    for (const heading of headings) observer.observe(heading);
    return () => {
      observer.disconnect();
      setCurrent(null);
    };
  }, [pathname]);
  return current;
}
