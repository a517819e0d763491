import type { Metadata } from 'next';
import { loadGuide } from '@/app/docs/content';
import { NameList } from '@/components/docs/command-reference';
import { LinkedSection } from '@/components/docs/linked-section';
import { GuidePage } from '@/components/docs/markdown/guide-page';
import { ENVIRONMENT, EXIT_MEANINGS, GLOBAL_OPTIONS } from '@/lib/cli/options';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Command line' };

export default async function Page() {
  return (
    <GuidePage guide={await loadGuide('docs/guides/command-line.md')}>
      <LinkedSection id="options" title="Global options">
        <NameList values={GLOBAL_OPTIONS.map(({ flags, description }) => ({ name: flags, meaning: description }))} />
      </LinkedSection>
      <LinkedSection id="variables" title="Environment variables">
        <NameList values={ENVIRONMENT} />
      </LinkedSection>
      <LinkedSection id="exit-codes" title="Exit codes">
        <NameList values={EXIT_MEANINGS.map(({ code, meaning }) => ({ name: String(code), meaning }))} />
      </LinkedSection>
    </GuidePage>
  );
}
