import type { ReactNode } from 'react';
import { SAMPLE_LANGUAGES } from '@/components/docs/api/samples/make-samples';
import { DocsLayout } from '@/components/docs/docs-layout';
import { LanguageProvider } from '@/components/docs/reader/language-provider';
import { ReaderProvider } from '@/components/docs/reader/reader-provider';
import { BUILT_BASE_URL } from '@/lib/platform/built-base-url';
import { loadSections } from './load-sections';

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <ReaderProvider baseUrl={BUILT_BASE_URL}>
      <LanguageProvider initial={SAMPLE_LANGUAGES[0]}>
        <DocsLayout sections={await loadSections()}>{children}</DocsLayout>
      </LanguageProvider>
    </ReaderProvider>
  );
}
