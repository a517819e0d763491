'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link whose page is prefetched when the person points at it, touches it or focuses it. Next would prefetch every link that
 * is visible.
 */
export function Link({
  onPointerEnter,
  onTouchStart,
  onFocus,
  ...rest
}: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  const [isIntended, setIntended] = useState(false);
  return (
    <NextLink
      {...rest}
      prefetch={isIntended ? null : false}
      onPointerEnter={(event) => {
        setIntended(true);
        onPointerEnter?.(event);
      }}
      onTouchStart={(event) => {
        setIntended(true);
        onTouchStart?.(event);
      }}
      onFocus={(event) => {
        setIntended(true);
        onFocus?.(event);
      }}
    />
  );
}
