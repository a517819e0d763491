'use client';

import { Check, MoreHorizontal } from 'lucide-react';
import * as Radix from 'radix-ui/dropdown-menu';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';

/** Not modal: a modal menu hides the page from screen readers while its controls can still be focused. */
export function Menu({ children }: { children: ReactNode }) {
  return <Radix.Root modal={false}>{children}</Radix.Root>;
}

/** The button that opens a menu. `asChild` makes its child that button. */
export const MenuTrigger = Radix.Trigger;

export function MenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={6}
        collisionPadding={8}
        {...rest}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-[calc(100vw-1rem)] animate-enter overflow-y-auto rounded-lg bg-surface p-1 shadow-floating',
          className,
        )}
      />
    </Radix.Portal>
  );
}

const itemStyle =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded-md px-2 py-1 text-sm outline-none data-highlighted:bg-sunken data-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0';

export interface MenuItemProps extends ComponentProps<typeof Radix.Item> {
  tone?: 'danger';
  /** Why the item is disabled; shown below it. */
  disabledReason?: string | undefined;
}

export function MenuItem({ className, tone, disabledReason, children, ...rest }: MenuItemProps) {
  if (disabledReason !== undefined) {
    return (
      <Radix.Item
        aria-disabled="true"
        onSelect={(event) => event.preventDefault()}
        className={cn(itemStyle, 'text-muted', className)}
      >
        <span className="grid">
          <span className="flex items-center gap-2">{children}</span>
          <span className="max-w-56 text-xs">{disabledReason}</span>
        </span>
      </Radix.Item>
    );
  }
  return (
    <Radix.Item {...rest} className={cn(itemStyle, tone === 'danger' && 'text-danger-text', className)}>
      {children}
    </Radix.Item>
  );
}

export const MenuRadioGroup = Radix.RadioGroup;

export function MenuRadioItem({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.RadioItem value={value} className={cn(itemStyle, 'relative pr-8')}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="truncate px-2 pt-2 pb-1 font-medium text-muted text-xs">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-border" />;
}

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
