import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { SAMPLE_LANGUAGES } from '@/components/docs/api/samples/make-samples';
import { DocsLayout } from '@/components/docs/docs-layout';
import { LanguageProvider } from '@/components/docs/reader/language-provider';
import { ReaderProvider } from '@/components/docs/reader/reader-provider';
import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import { config } from '@/lib/platform/config/config';
import { loadSections } from './load-sections';

export default async function Layout({ children }: { children: ReactNode }) {
  const mayHaveSession = (await cookies()).has(PRESENCE_COOKIE);
  return (
    <ReaderProvider baseUrl={config().baseUrl} mayHaveSession={mayHaveSession}>
      <LanguageProvider initial={SAMPLE_LANGUAGES[0]}>
        <DocsLayout sections={await loadSections()}>{children}</DocsLayout>
      </LanguageProvider>
    </ReaderProvider>
  );
}
