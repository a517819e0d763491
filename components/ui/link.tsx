'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

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
