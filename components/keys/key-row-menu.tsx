'use client';

import { Ban, RefreshCw } from 'lucide-react';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import type { ApiKey } from '@/lib/keys/schema';
import { rotateDisabledReason } from './key-state';
import { useKeyActions } from './keys-context';

/** The actions for a key. A revoked key has none. */
export function KeyRowMenu({ apiKey }: { apiKey: ApiKey }) {
  const { rotate, revoke, disabledReason } = useKeyActions();
  if (apiKey.status === 'REVOKED') return null;
  return (
    <RowMenu of={apiKey.name}>
      <MenuItem
        disabledReason={disabledReason ?? rotateDisabledReason(apiKey, new Date())}
        onSelect={() => rotate(apiKey)}
      >
        <RefreshCw aria-hidden="true" />
        Rotate
      </MenuItem>
      <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => revoke(apiKey)}>
        <Ban aria-hidden="true" />
        Revoke
      </MenuItem>
    </RowMenu>
  );
}
