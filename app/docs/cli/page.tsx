import type { Metadata } from 'next';
import { loadGuide } from '@/app/docs/load-guide';
import { NamedValues } from '@/components/docs/cli/named-values';
import { GuidePage } from '@/components/docs/markdown/guide-page';
import { ENVIRONMENT, EXIT_MEANINGS, GLOBAL_OPTIONS } from '@/lib/cli/options';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Command line' };

export default async function Page() {
  return (
    <GuidePage guide={await loadGuide('docs/guides/command-line.md')}>
      <NamedValues
        id="options"
        title="Global options"
        values={GLOBAL_OPTIONS.map(({ flags, description }) => ({ name: flags, meaning: description }))}
      />
      <NamedValues id="variables" title="Environment variables" values={ENVIRONMENT} />
      <NamedValues
        id="exit-codes"
        title="Exit codes"
        values={EXIT_MEANINGS.map(({ code, meaning }) => ({ name: String(code), meaning }))}
      />
    </GuidePage>
  );
}
