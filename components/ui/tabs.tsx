'use client';

import * as Radix from 'radix-ui/tabs';
import type { ComponentProps, ReactNode } from 'react';
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

interface PageTab {
  value: string;
  label: string;
  content: ReactNode;
}

/** The sections of a page as tabs with a line below, like the links of the account. */
export function PageTabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly PageTab[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Tabs value={value} onValueChange={onChange}>
      <div className="mb-6 border-b">
        <TabsList aria-label={label} className="-mb-px gap-5 max-sm:pr-8">
          {tabs.map((tab) => (
            <TabsTrigger
              key={tab.value}
              value={tab.value}
              className="h-auto rounded-none border-transparent border-b-2 px-0.5 pt-1 pb-2.5 text-sm -outline-offset-2 data-[state=active]:border-accent data-[state=active]:bg-transparent"
            >
              {tab.label}
            </TabsTrigger>
          ))}
          <span
            aria-hidden="true"
            data-fade="page"
            className="pointer-events-none sticky right-0 -mr-8 mb-px ml-auto w-8 shrink-0 sm:hidden"
          />
        </TabsList>
      </div>
      {tabs.map((tab) => (
        <TabsContent key={tab.value} value={tab.value}>
          {tab.content}
        </TabsContent>
      ))}
    </Tabs>
  );
}
