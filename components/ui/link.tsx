'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps, MouseEvent } from 'react';

export interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** `false` leaves out the prefetch, for links whose page is rarely opened. */
  prefetch?: false;
}

/**
 * A link that opens a page of the product without a reload. Its page is prefetched when the person points at it, touches it or
 * focuses it. It does what these pages need of next/link, which weighs 3 kB and would prefetch every link that is visible.
 */
export function Link({ href, prefetch, onClick, onPointerEnter, onTouchStart, onFocus, ...rest }: LinkProps) {
  const router = useRouter();
  const prepare = () => {
    if (prefetch !== false && isOwnPath(href)) router.prefetch(href);
  };
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!isOwnPath(href) || isForBrowser(event)) return;
        event.preventDefault();
        router.push(href);
      }}
      onPointerEnter={(event) => {
        prepare();
        onPointerEnter?.(event);
      }}
      onTouchStart={(event) => {
        prepare();
        onTouchStart?.(event);
      }}
      onFocus={(event) => {
        prepare();
        onFocus?.(event);
      }}
    />
  );
}

function isOwnPath(href: string): boolean {
  return /^(?:\/(?![/\\])|[?#])/.test(href);
}

/** Whether the browser handles the click: another tab or window, a download, or one that something else has handled. */
function isForBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const isElsewhere = (target !== '' && target !== '_self') || event.currentTarget.hasAttribute('download');
  const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
  return event.defaultPrevented || isElsewhere || isModified;
}
