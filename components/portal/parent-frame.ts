'use client';

/*
 * The portal in a frame, and the element <eds-portal> around it (public/portal/embed.js), send each other these messages:
 *
 *   frame → page   {type: 'eds-portal:ready'}             it listens; until then a new `src` replaces the frame
 *   frame → page   {type: 'eds-portal:size', height}      of its content, in CSS pixels, whenever it changes
 *   frame → page   {type: 'eds-portal:expiring'}          60 s before the session ends
 *   page → frame   {type: 'eds-portal:link', link}        a new link to exchange; the open view stays
 *   page → frame   {type: 'eds-portal:scheme', scheme}    'light', 'dark' or 'system'
 *
 * The first scheme comes in the address, so that nothing flashes: #{link}&scheme=dark. theme-script.ts shows it.
 */

type FromPage = { type?: unknown; link?: unknown; scheme?: unknown } | null;

/** What a page of the portal may tell the page around it. Nothing happens when it is not framed. */
export interface ParentFrame {
  /** Asks for a new link: the session ends in a minute. */
  askForLink(): void;
  disconnect(): void;
}

/**
 * Connects the portal with the page that frames it: keeps the frame as high as its content, and follows the scheme of the page.
 * @param onLink gets each new link
 */
export function connectParentFrame(onLink: (link: string) => void): ParentFrame {
  const { parent } = window;
  if (parent === window) return { askForLink: () => undefined, disconnect: () => undefined };
  // No message has a secret. Which origins may be the parent is decided by frame-ancestors before the page runs.
  const send = (message: object) => parent.postMessage(message, '*');
  const receive = ({ source, data }: MessageEvent<FromPage>) => {
    // The parent has an allowed origin: the browser shows the frame in no other page, and it never outlives the page around it.
    if (source !== parent) return;
    if (data?.type === 'eds-portal:link' && typeof data.link === 'string') onLink(data.link);
    if (data?.type === 'eds-portal:scheme') {
      window.dispatchEvent(new CustomEvent('theme-choice', { detail: data.scheme }));
    }
  };
  const sizes = new ResizeObserver(() => send({ type: 'eds-portal:size', height: document.body.offsetHeight }));
  window.addEventListener('message', receive);
  sizes.observe(document.body);
  send({ type: 'eds-portal:ready' });
  return {
    askForLink: () => send({ type: 'eds-portal:expiring' }),
    disconnect: () => {
      window.removeEventListener('message', receive);
      sizes.disconnect();
    },
  };
}

/** Takes the link out of the address, where neither the history nor a copied address may keep it. Null without one. */
export function takeLink(): string | null {
  const [link = ''] = window.location.hash.slice(1).split('&');
  // What Next keeps there stays: it would load the page again for an entry without that.
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return link === '' ? null : link;
}
