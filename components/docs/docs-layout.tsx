'use client';

import { Menu as MenuIcon } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { useHeadingFocus } from '@/components/shell/use-heading-focus';
import { useShortcuts } from '@/components/shell/use-shortcuts';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Drawer } from '@/components/ui/dialog';
import { Link, SkipLink } from '@/components/ui/link';
import { DocsNavigation } from './docs-navigation';
import { type DocsSection, findSection } from './docs-sections';
import { GUIDES_PATH } from './guides/guide-groups';
import { SignInLink, useReader } from './reader';
import { DocsSearch } from './search/docs-search';

/** The layout of every page of the documentation: header with search, navigation of the section, page. */
export function DocsLayout({ sections, children }: { sections: readonly DocsSection[]; children: ReactNode }) {
  const pathname = usePathname();
  useHeadingFocus(pathname);
  const { projectId, organizationId } = useReader();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({
    scope: { projectId, organizationId },
    openPalette: () => search.current?.focus(),
    openHelp: () => search.current?.focus(),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an open menu belongs to the previous page
  useEffect(() => setIsMenuOpen(false), [pathname]);
  const section = findSection(sections, pathname);
  return (
    <>
      <SkipLink />
      <DocsHeader sections={sections} search={search} onMenu={() => setIsMenuOpen(true)} />
      <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)]">
        <aside className="sticky top-13 hidden h-[calc(100dvh-3.25rem)] overflow-y-auto border-r lg:block">
          <DocsNavigation {...(section === undefined ? { sections } : {})} section={section} pathname={pathname} />
        </aside>
        <main id="main" tabIndex={-1} className="mx-auto w-full min-w-0 max-w-6xl px-4 py-8 outline-none sm:px-8">
          {children}
        </main>
      </div>
      <Drawer open={isMenuOpen} onOpenChange={setIsMenuOpen} title="Documentation">
        <DocsNavigation
          sections={sections}
          section={section}
          pathname={pathname}
          onNavigate={() => setIsMenuOpen(false)}
        />
      </Drawer>
    </>
  );
}

/** The logo, the sections and the search, above every page of the documentation. */
function DocsHeader({
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
        <DocsSearch input={search} />
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
