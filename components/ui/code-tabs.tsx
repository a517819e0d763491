'use client';

import { CodeBlock } from './code-block';
import type { CodeLanguage } from './highlight-code';
import { Tabs, TabsContent, TabsList, TabsTrigger } from './tabs';

export interface CodeSample {
  name: string;
  language: CodeLanguage;
  code: string;
}

interface CodeTabsProps {
  samples: readonly CodeSample[];
  label: string;
  /** The name of the shown sample, for a choice that others share; the first one is shown until it is made. */
  chosen?: string | null;
  onChoose?: (name: string) => void;
  /** Shows all lines of each sample. */
  whole?: boolean;
  onCopied?: () => void;
}

/** The same sample in several languages, one tab each. */
export function CodeTabs({ samples, label, chosen, onChoose, whole = false, onCopied }: CodeTabsProps) {
  const first = samples[0];
  if (first === undefined) return null;
  const shown = samples.find(({ name }) => name === chosen) ?? first;
  const choice = onChoose === undefined ? { defaultValue: first.name } : { value: shown.name, onValueChange: onChoose };
  return (
    <Tabs {...choice} className="min-w-0">
      <TabsList aria-label={label} className="mb-2">
        {samples.map((sample) => (
          <TabsTrigger key={sample.name} value={sample.name}>
            {sample.name}
          </TabsTrigger>
        ))}
      </TabsList>
      {samples.map((sample) => (
        <TabsContent key={sample.name} value={sample.name} tabIndex={-1}>
          <CodeBlock
            code={sample.code}
            language={sample.language}
            label={`${label} (${sample.name})`}
            whole={whole}
            {...(onCopied ? { onCopied } : {})}
          />
        </TabsContent>
      ))}
    </Tabs>
  );
}
