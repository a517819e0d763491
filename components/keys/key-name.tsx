'use client';

import type { ApiKey } from '@/lib/keys/schema';
import { useKeyActions } from './keys-context';

const anchorOf = (keyId: string) => `key-${keyId}`;

/** The name of a key; a rotated key links to its replacement, which is above it. */
export function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const { find, highlight } = useKeyActions();
  const { replacedById } = apiKey;
  const replacement = replacedById === null ? undefined : find(replacedById);
  return (
    <span className="grid min-w-0 gap-0.5 max-sm:pr-8 sm:min-w-32">
      <span id={anchorOf(apiKey.id)} tabIndex={-1} className="scroll-mt-24 rounded-sm font-medium break-words">
        {apiKey.name}
      </span>
      {replacement === undefined ? null : (
        <span className="text-muted text-xs">
          Replaced by{' '}
          <a
            href={`#${anchorOf(replacement.id)}`}
            onClick={() => highlight(replacement.id)}
            className="inline-block rounded-sm font-mono text-accent-text underline-offset-4 hover:underline"
          >
            {replacement.hint}
          </a>
        </span>
      )}
    </span>
  );
}
