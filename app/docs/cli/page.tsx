import type { Metadata } from 'next';
import { loadGuide, loadOutputSamples } from '@/app/docs/content';
import { NameList } from '@/components/docs/command-reference';
import { LinkedSection } from '@/components/docs/linked-section';
import { GuidePage } from '@/components/docs/markdown/guide-page';
import { CodeBlock } from '@/components/ui/code-block';
import { ENVIRONMENT, EXIT_MEANINGS, GLOBAL_OPTIONS } from '@/lib/cli/options';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Command line' };

/** The commands whose output the page shows, in the order of a first day. */
const SHOWN = ['login', 'listen', 'send', 'events list', 'deliveries list', 'deliveries retry'];

export default async function Page() {
  const samples = await loadOutputSamples();
  return (
    <GuidePage guide={await loadGuide('docs/guides/command-line.md')}>
      <LinkedSection id="samples" title="What commands print">
        {SHOWN.map((name) => (
          <CodeBlock key={name} label={`Output of eds ${name}`} language="text" code={samples.get(name) ?? ''} />
        ))}
      </LinkedSection>
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
