'use client';

import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Navigation } from './use-view';

/** A view with its heading, which gets the focus when the person comes to it. */
export function ViewFrame({
  title,
  back,
  action,
  navigation,
  children,
}: {
  title: ReactNode;
  /** Where it leads back to; the first view has none. */
  back?: { label: string; go: () => void };
  /** A button beside the heading. */
  action?: ReactNode;
  navigation: Navigation;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hasMoved } = navigation;
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, [hasMoved]);
  return (
    <main id="main" tabIndex={-1} className="mt-8 outline-none">
      {back === undefined ? null : (
        <button
          type="button"
          onClick={back.go}
          className="mb-3 inline-flex items-center gap-1.5 rounded-sm text-muted text-sm hover:text-text"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {back.label}
        </button>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 ref={heading} tabIndex={-1} className="wrap-anywhere min-w-0 font-semibold text-2xl tracking-tight">
          {title}
        </h1>
        {action}
      </div>
      {children}
    </main>
  );
}
