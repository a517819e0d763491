'use client';

import { useEffect, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import { MethodBadge } from './api/badges';
import type { DocsPage, DocsSection } from './docs-sections';

/** The part of the window in which a heading is the current one: below the header, and well above the end. */
const MARGIN = '-72px 0px -70% 0px';

/** The pages of a section by group, with the entries of the current page. In a drawer also the other sections. */
export function DocsNavigation({
  sections,
  section,
  pathname,
  onNavigate,
}: {
  sections?: readonly DocsSection[];
  section: DocsSection | undefined;
  pathname: string;
  onNavigate?: () => void;
}) {
  const heading = useCurrentHeading(pathname);
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry of another heading is another element
  useEffect(() => {
    nav.current?.querySelector('[aria-current="location"]')?.scrollIntoView({ block: 'nearest' });
  }, [heading]);
  return (
    <nav ref={nav} aria-label="Documentation" className="grid gap-5 px-3 py-5 text-sm">
      {sections === undefined ? null : (
        <ul className={cn('grid gap-0.5', section !== undefined && 'border-b pb-4')}>
          {sections.map(({ title, href }) => (
            <li key={href}>
              <PageLink href={href} isCurrent={href === section?.href} onNavigate={onNavigate}>
                {title}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
      {section?.groups.map(({ title, pages }) => (
        <div key={title}>
          {title === null ? null : <p className="px-2 pb-1 font-medium text-muted text-xs">{title}</p>}
          <ul className="grid gap-0.5">
            {pages.map((page) => (
              <li key={page.href}>
                <PageLink href={page.href} isCurrent={page.href === pathname} onNavigate={onNavigate}>
                  {page.title}
                </PageLink>
                {page.href === pathname ? <Entries page={page} heading={heading} onNavigate={onNavigate} /> : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface Followed {
  onNavigate: (() => void) | undefined;
}

function PageLink({
  href,
  isCurrent,
  onNavigate,
  children,
}: Followed & { href: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
      className={cn(
        'flex min-h-7.5 items-center rounded-md px-2 hover:bg-sunken hover:text-text',
        isCurrent ? 'font-medium text-text' : 'text-muted',
      )}
    >
      {children}
    </Link>
  );
}

function Entries({ page, heading, onNavigate }: Followed & { page: DocsPage; heading: string | null }) {
  if (page.entries.length === 0) return null;
  return (
    <ul className="mt-0.5 mb-2 ml-2 grid gap-px border-l pl-2">
      {page.entries.map(({ name, href, call }) => {
        const isCurrent = href.endsWith(`#${heading}`);
        return (
          <li key={href}>
            <a
              href={href}
              aria-current={isCurrent ? 'location' : undefined}
              onClick={onNavigate}
              className={cn(
                'flex min-h-7 items-center justify-between gap-2 rounded-md px-2 hover:bg-sunken hover:text-text',
                isCurrent ? 'bg-sunken text-text' : 'text-muted',
              )}
            >
              <span className="truncate">{name}</span>
              {call === undefined ? null : <MethodBadge method={call.method} />}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the id of the element with `data-heading` that the reader is at; null above the first one. */
function useCurrentHeading(pathname: string): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings
  useEffect(() => {
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) isIntersecting ? visible.add(target) : visible.delete(target);
        const first = headings.find((heading) => visible.has(heading));
        if (first !== undefined) setCurrent(first.id);
        else if (window.scrollY < 100) setCurrent(null);
      },
      { rootMargin: MARGIN },
    );
    const headings = [...document.querySelectorAll('[data-heading]')];
    for (const heading of headings) observer.observe(heading);
    return () => {
      observer.disconnect();
      setCurrent(null);
    };
  }, [pathname]);
  return current;
}
