import type { ReactNode } from 'react';
import { DocsLayout } from '@/components/docs/docs-layout';
import { ReaderProvider } from '@/components/docs/reader';
import { BUILT_BASE_URL } from '@/lib/platform/built-base-url';
import { loadSections } from './content';

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <ReaderProvider baseUrl={BUILT_BASE_URL}>
      <DocsLayout sections={await loadSections()}>{children}</DocsLayout>
    </ReaderProvider>
  );
}
