'use client';

import * as Radix from 'radix-ui/tabs';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const Tabs = Radix.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List {...rest} className={cn('flex gap-1 overflow-x-auto', className)} />;
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      {...rest}
      className={cn(
        'h-7 shrink-0 rounded-md px-2.5 font-medium text-muted text-xs hover:text-text data-[state=active]:bg-sunken data-[state=active]:text-text',
        className,
      )}
    />
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...rest} className={className} />;
}
