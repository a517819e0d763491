'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useHeadingFocus } from '@/components/shell/use-heading-focus';
import { useShortcuts } from '@/components/shell/use-shortcuts';
import { Drawer } from '@/components/ui/dialog';
import { DocsHeader } from './docs-header';
import { DocsNavigation } from './docs-navigation';
import { type DocsSection, findSection } from './docs-sections';
import { useReader } from './reader/reader-context';

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
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
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
