'use client';

import { MoreHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Menu, MenuContent, MenuTrigger } from './dropdown-menu';

/** The menu at the end of a table row. `children` are its items; `of` names the row. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="iconSm" aria-label={`Actions for ${of}`} className="z-10">
          <MoreHorizontal aria-hidden="true" />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">{children}</MenuContent>
    </Menu>
  );
}
