'use client';

import { Ban, MoreHorizontal, RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/dropdown-menu';
import type { ApiKey } from '@/lib/keys/schema';
import { rotateDisabledReason } from './key-state';
import { useKeyActions } from './keys-context';

/** What can be done with a key. Nothing is left to do with a revoked one. */
export function KeyRowMenu({ apiKey }: { apiKey: ApiKey }) {
  const { rotate, revoke, disabledReason } = useKeyActions();
  if (apiKey.status === 'REVOKED') return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="iconSm" aria-label={`Actions for ${apiKey.name}`} className="z-10">
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        <MenuItem
          disabledReason={disabledReason ?? rotateDisabledReason(apiKey, new Date())}
          onSelect={() => rotate(apiKey)}
        >
          <RefreshCw aria-hidden="true" />
          Rotate…
        </MenuItem>
        <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => revoke(apiKey)}>
          <Ban aria-hidden="true" />
          Revoke…
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
