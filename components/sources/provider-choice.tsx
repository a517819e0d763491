'use client';

import { cn } from '@/components/ui/cn';
import type { SourceProvider } from '@/lib/incoming/schema';
import { ProviderMark } from './provider-mark';
import { PROVIDER_IDS, PROVIDERS } from './providers';

/** The providers as radio buttons: arrow keys choose. */
export function ProviderChoice({
  value,
  onChange,
}: {
  value: SourceProvider;
  onChange: (provider: SourceProvider) => void;
}) {
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend className="mb-2 font-medium text-sm">Provider</legend>
      {PROVIDER_IDS.map((provider) => (
        <label
          key={provider}
          className={cn(
            'flex min-w-0 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2.5 text-sm hover:border-border-strong has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-2',
            provider === 'NONE' && 'sm:col-span-2',
            provider === value && 'border-accent bg-accent-subtle hover:border-accent',
          )}
        >
          <input
            type="radio"
            name="provider"
            value={provider}
            checked={provider === value}
            onChange={() => onChange(provider)}
            className="sr-only"
          />
          <ProviderMark provider={provider} size="md" />
          <span className="min-w-0">
            <span className="block font-medium">{PROVIDERS[provider].name}</span>
            <span className="block text-muted text-xs">{PROVIDERS[provider].summary}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
