'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';
import { cn } from './cn';

export interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** `false` leaves out the prefetch, for links whose page is rarely opened. */
  prefetch?: false;
}

/** A link that prefetches its page when the person points at it or focuses it, since pages have too many links to prefetch all. */
export function Link({ prefetch, onPointerEnter, onFocus, ...rest }: LinkProps) {
  const [isLikely, setLikely] = useState(false);
  return (
    <NextLink
      {...rest}
      prefetch={isLikely && prefetch !== false ? null : false}
      onPointerEnter={(event) => {
        setLikely(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setLikely(true);
        onFocus?.(event);
      }}
    />
  );
}

/** A link in a sentence. */
export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link className={cn('font-medium text-accent-text underline-offset-4 hover:underline', className)} {...rest} />
  );
}

/** Leads keyboard users past the navigation to the content, which has the id `main`. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}
