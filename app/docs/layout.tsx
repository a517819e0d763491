import type { ReactNode } from 'react';
import { apiSection } from '@/components/docs/api/api-section';
import { SAMPLE_LANGUAGES } from '@/components/docs/api/samples/make-samples';
import { DocsLayout } from '@/components/docs/docs-layout';
import { errorsSection } from '@/components/docs/errors-section';
import { LanguageProvider } from '@/components/docs/reader/language-provider';
import { ReaderProvider } from '@/components/docs/reader/reader-provider';
import { config } from '@/lib/platform/config/config';
import { ERRORS } from '@/lib/platform/errors';
import { loadReference } from './load-reference';

export default async function Layout({ children }: { children: ReactNode }) {
  const sections = [apiSection(await loadReference()), errorsSection(Object.keys(ERRORS))];
  return (
    <ReaderProvider baseUrl={config().baseUrl}>
      <LanguageProvider initial={SAMPLE_LANGUAGES[0]}>
        <DocsLayout sections={sections}>{children}</DocsLayout>
      </LanguageProvider>
    </ReaderProvider>
  );
}
