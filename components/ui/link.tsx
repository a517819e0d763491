'use client';

import { useRouter } from 'next/navigation';
import { type LinkProps, linkHandlers } from './link-handlers';

/**
 * A link that opens a page of the product without a reload. Its page is prefetched when the person points at it, touches it or
 * focuses it. It does what these pages need of next/link, which weighs 3 kB and would prefetch every link that is visible.
 */
export function Link(props: LinkProps) {
  const { prefetch: _, ...rest } = props;
  return <a {...rest} {...linkHandlers(props, useRouter())} />;
}
