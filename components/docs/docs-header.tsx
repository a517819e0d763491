'use client';

import { Menu as MenuIcon } from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { RefObject } from 'react';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import { type DocsSection, findSection } from './docs-sections';
import { GUIDES_PATH } from './guides/guide-groups';
import { useReader } from './reader/reader-context';
import { SignInLink } from './reader/sign-in-link';
import { DocsSearch } from './search/docs-search';

/** The logo, the sections and the search, above every page of the documentation. */
export function DocsHeader({
  sections,
  search,
  onMenu,
}: {
  sections: readonly DocsSection[];
  search: RefObject<HTMLInputElement | null>;
  onMenu: () => void;
}) {
  const current = findSection(sections, usePathname());
  const { status } = useReader();
  return (
    <header className="sticky top-0 z-20 border-b bg-background/95 backdrop-blur-sm">
      <div className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 sm:px-6 lg:flex-nowrap lg:py-0">
        <Button variant="ghost" size="icon" aria-label="Open navigation" onClick={onMenu} className="-ml-2 lg:hidden">
          <MenuIcon aria-hidden="true" />
        </Button>
        <Link href={GUIDES_PATH} className="flex shrink-0 items-center gap-2 rounded-md font-semibold text-base">
          <LogoMark />
          <span className="max-sm:sr-only">{PRODUCT_NAME}</span>
          <span className="font-normal text-muted">Docs</span>
        </Link>
        <nav aria-label="Sections" className="hidden h-13 items-stretch gap-1 lg:flex">
          {sections.map((section) => (
            <Link
              key={section.href}
              href={section.href}
              aria-current={section === current ? 'page' : undefined}
              className={cn(
                '-mb-px flex items-center border-b-2 px-2 text-sm hover:text-text',
                section === current ? 'border-accent-text font-medium text-text' : 'border-transparent text-muted',
              )}
            >
              {section.title}
            </Link>
          ))}
        </nav>
        <DocsSearch sections={sections} input={search} />
        <div className="ml-auto flex min-w-18 shrink-0 items-center justify-end lg:ml-0">
          {status === 'signed-out' ? (
            <SignInLink className="font-medium text-sm hover:underline">Sign in</SignInLink>
          ) : (
            <Link href="/" className="font-medium text-sm hover:underline">
              Dashboard
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}
