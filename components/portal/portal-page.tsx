'use client';

import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import type { CodeSample } from '@/components/ui/code-tabs';
import { Skeleton } from '@/components/ui/skeleton';
import { accentColors } from '@/lib/portal/accent-color-policy';
import { Intro } from './intro';
import { connectParentFrame, type ParentFrame, takeLink } from './parent-frame';
import { PortalHeader } from './portal-header';
import { type OpenSession, PortalSessionStore, type PortalState, sessionOf } from './portal-session';
import { PortalViews } from './portal-views';
import { PortalProvider } from './use-portal';

/** A session is asked to be renewed this long before it ends. */
const RENEWED_MS = 60_000;
/** Its person is warned then, if it was not renewed. */
const WARNED_MS = 50_000;

const LOADING: PortalState = { status: 'loading' };

/**
 * The webhooks of one customer. Its link is exchanged for a session, which is kept in memory alone.
 * @param samples functions that verify a signature
 */
export function PortalPage({ samples }: { samples: readonly CodeSample[] }) {
  const [store] = useState(() => new PortalSessionStore());
  const state = useSyncExternalStore(store.subscribe, store.read, () => LOADING);
  const session = sessionOf(state);
  const isEnding = useRenewal(session, store);
  useEffect(() => {
    document.title = session === null ? 'Webhooks' : `Webhooks · ${session.portal.name}`;
  }, [session]);
  const isEnded = state.status !== 'open';
  const portal = useMemo(
    () =>
      session && {
        company: session.portal.name,
        session,
        canManage: session.permissions === 'MANAGE',
        isEnded,
        fetch: store.fetch,
      },
    [session, isEnded, store],
  );
  const refused =
    state.status === 'refused' ? <Refused error={state.error} retry={() => void store.open(state.link)} /> : null;
  return (
    <div data-portal="" className="mx-auto max-w-4xl px-4 py-6 sm:px-6 sm:py-8">
      {state.status === 'loading' ? <Loading /> : null}
      {state.status === 'without-link' ? <WithoutLink /> : null}
      {portal === null ? (
        refused
      ) : (
        <PortalProvider key={portal.session.customer.uid} portal={portal}>
          <PortalTheme accentColor={portal.session.portal.accentColor} />
          <PortalHeader session={portal.session} />
          {state.status === 'ended' ? <Ended company={portal.company} /> : null}
          {refused}
          {isEnding && !isEnded ? (
            <Callout tone="warning" role="status" className="mt-6">
              Your session ends in less than a minute. Save what you typed. {howToContinue(portal.company)}
            </Callout>
          ) : null}
          {/* What is typed stays until the session continues. */}
          <div hidden={isEnded}>
            <PortalViews samples={samples} />
          </div>
        </PortalProvider>
      )}
    </div>
  );
}

/**
 * Opens the link of the address, and those that the page around hands over. Asks that page for one before the session ends.
 * @returns whether the session is about to end nevertheless
 */
function useRenewal(session: OpenSession | null, store: PortalSessionStore): boolean {
  const [ending, setEnding] = useState<OpenSession | null>(null);
  const [frame, setFrame] = useState<ParentFrame | null>(null);
  useEffect(() => {
    const connected = connectParentFrame((link) => void store.open(link));
    setFrame(connected);
    // Not again when the effect runs twice: the link is gone from the address.
    if (store.read().status === 'loading') void store.open(takeLink());
    // A link that is opened where the page is open already.
    const onHashChange = () => void store.open(takeLink());
    window.addEventListener('hashchange', onHashChange);
    return () => {
      window.removeEventListener('hashchange', onHashChange);
      connected.disconnect();
    };
  }, [store]);
  useEffect(() => {
    if (session === null || frame === null) return;
    const { lastsMs } = session;
    const timers = [
      setTimeout(() => frame.askForLink(), lastsMs - RENEWED_MS),
      setTimeout(() => setEnding(session), lastsMs - WARNED_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [session, frame]);
  return session !== null && ending === session;
}

/** In a frame, the page around makes a new link when it loads. */
function howToContinue(company?: string): string {
  if (document.documentElement.dataset.framed !== undefined) return 'To continue, load this page again.';
  const where = company ?? 'the product that brought you here';
  return `To continue, go back to ${where} and open this page again.`;
}

function Loading() {
  return (
    <>
      <Skeleton className="h-8 w-40" />
      <main className="mt-8">
        <h1 className="font-semibold text-2xl tracking-tight">Webhooks</h1>
        <Intro />
        <p role="status" className="sr-only">
          Loading
        </p>
        <Skeleton className="mt-6 h-40 w-full" />
      </main>
    </>
  );
}

function WithoutLink() {
  const text = 'For your security, it keeps nothing once it is closed or reloaded.';
  return <Notice title="This page needs a new link" text={`${text} ${howToContinue()}`} />;
}

function Refused({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ApiError && error.status === 401) {
    const text = 'A link opens this page once, within five minutes.';
    return <Notice title="This link is no longer valid" text={`${text} ${howToContinue()}`} />;
  }
  return (
    <Notice title="We couldn’t open this page" text={describeError(error).detail}>
      <Button onClick={retry}>Try again</Button>
    </Notice>
  );
}

function Ended({ company }: { company: string }) {
  return <Notice title="Your session has ended" text={`What you saved is kept. ${howToContinue(company)}`} />;
}

function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <main className="mx-auto grid max-w-md justify-items-center gap-2 py-16 text-center">
      <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
      <p className="text-balance text-muted text-sm">{text}</p>
      {children === undefined ? null : <div className="mt-3">{children}</div>}
    </main>
  );
}

/** Shows the color of the company in both schemes, as dark or light as text needs. */
function PortalTheme({ accentColor }: { accentColor: string | null }) {
  if (accentColor === null) return null;
  const rule = (scheme: 'light' | 'dark', selector: string) => {
    const colors = Object.entries(accentColors(accentColor, scheme));
    return `${selector}{${colors.map(([name, value]) => `${name}:${value}`).join(';')}}`;
  };
  return <style>{`${rule('light', ':root')}${rule('dark', ':root.dark')}`}</style>;
}
