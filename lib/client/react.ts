import { createElement, type ReactNode, useEffect, useRef } from 'react';

export interface EdsPortalProps {
  /** The `url` of a link that your server has made for this customer. Another one prolongs the session; undefined shows nothing. */
  src: string | undefined;
  /** By default that of your page, by its CSS property `color-scheme`. */
  colorScheme?: 'light' | 'dark' | 'system';
  /** Called 60 seconds before the session ends: fetch another link and pass it as `src`. Nothing that was typed is lost. */
  onExpired?: () => void;
}

/** Shows one of your customers its webhooks. Loads the element `<eds-portal>` from the service. */
export function EdsPortal({ src, colorScheme, onExpired }: EdsPortalProps): ReactNode {
  const element = useRef<HTMLElement>(null);
  const origin = src === undefined ? undefined : new URL(src).origin;
  useEffect(() => {
    if (origin !== undefined) loadElement(`${origin}/portal/embed.js`);
  }, [origin]);
  useEffect(() => {
    const { current } = element;
    if (current === null || onExpired === undefined) return;
    current.addEventListener('eds-portal-expired', onExpired);
    return () => current.removeEventListener('eds-portal-expired', onExpired);
  }, [onExpired]);
  return createElement('eds-portal', { ref: element, src, 'color-scheme': colorScheme });
}

/** Runs the script once in a document, however many portals it has. */
function loadElement(url: string): void {
  if (customElements.get('eds-portal') !== undefined) return;
  if ([...document.scripts].some(({ src }) => src === url)) return;
  const script = document.createElement('script');
  script.src = url;
  document.head.append(script);
}
