import type { ComponentProps, MouseEvent } from 'react';

export interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** `false` leaves out the prefetch, for links whose page is rarely opened. */
  prefetch?: false;
}

/** What a link needs of the router. */
export interface LinkRouter {
  push(href: string): void;
  prefetch(href: string): void;
}

/** Returns the properties of an `<a>` that opens a page of the product without a reload, and prefetches it. */
export function linkHandlers(
  { href, prefetch, onClick, onPointerEnter, onTouchStart, onFocus }: LinkProps,
  router: LinkRouter,
) {
  const prepare = () => {
    if (prefetch !== false && isOwnPath(href)) router.prefetch(href);
  };
  return {
    onClick: (event) => {
      onClick?.(event);
      if (!isOwnPath(href) || isForBrowser(event)) return;
      event.preventDefault();
      router.push(href);
    },
    onPointerEnter: (event) => {
      prepare();
      onPointerEnter?.(event);
    },
    onTouchStart: (event) => {
      prepare();
      onTouchStart?.(event);
    },
    onFocus: (event) => {
      prepare();
      onFocus?.(event);
    },
  } satisfies ComponentProps<'a'>;
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
