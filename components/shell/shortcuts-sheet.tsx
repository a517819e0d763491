'use client';

import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Kbd } from '@/components/ui/kbd';
import { Switch } from '@/components/ui/switch';
import { ACCOUNT_ITEMS, NAV_ITEMS, ORGANIZATION_ITEMS } from './nav-items';
import { readSingleKeys, writeSingleKeys } from './use-shortcuts';

const GENERAL = [
  { keys: ['Ctrl', 'K'], label: 'Search or jump to anything (⌘K on a Mac)' },
  { keys: ['/'], label: 'Focus the search field' },
  { keys: ['?'], label: 'Show keyboard shortcuts' },
  { keys: ['↑', '↓'], label: 'Move between rows' },
];

const PAGES = [...NAV_ITEMS, ...ORGANIZATION_ITEMS, ...ACCOUNT_ITEMS].map(({ key, label }) => ({
  keys: ['g', key],
  label: `Go to ${label}`,
}));

/** Lists the keyboard shortcuts, with a switch for single-key shortcuts. */
export function ShortcutsSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="grid gap-2">
        {[...GENERAL, ...PAGES].map((row) => (
          <div key={row.label} className="flex items-center justify-between gap-4 text-sm">
            <dt>{row.label}</dt>
            <dd className="flex gap-1">
              {row.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <SingleKeysSwitch />
    </Dialog>
  );
}

function SingleKeysSwitch() {
  const [on, setOn] = useState(readSingleKeys);
  return (
    <Field className="mt-5 border-t pt-4" label="Single-key shortcuts" hint="When off, only Ctrl-K and ⌘K work.">
      {(control) => (
        <Switch
          {...control}
          checked={on}
          onCheckedChange={(next) => {
            writeSingleKeys(next);
            setOn(next);
          }}
        />
      )}
    </Field>
  );
}
