'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { useReader } from './reader';

/** What a guide says in one language. */
export interface Language {
  name: string;
  /** What links name. */
  id?: string;
  content: ReactNode;
}

/**
 * The same in several languages, one tab each. Shows the language that the address names, or else the one that the reader has chosen on
 * any page. Without JavaScript all are shown. `globals.css` shows the right one before React does.
 */
export function LanguageTabs({ label, languages }: { label: string; languages: readonly Language[] }) {
  const { language, chooseLanguage } = useReader();
  const [linked, setLinked] = useState<string | null>(null);
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const findLinked = () => languages.find(({ id }) => id !== undefined && window.location.hash === `#${id}`);
    const follow = () => {
      const found = findLinked();
      if (found?.id === undefined) return;
      setLinked(found.name);
      // It has no place before it is shown.
      requestAnimationFrame(() => document.getElementById(found.id ?? '')?.scrollIntoView());
    };
    setLinked(findLinked()?.name ?? null);
    setIsReady(true);
    // Links of the navigation change the address without the event of the browser.
    const { navigation } = window as { navigation?: EventTarget };
    window.addEventListener('hashchange', follow);
    navigation?.addEventListener('currententrychange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
      navigation?.removeEventListener('currententrychange', follow);
    };
  }, [languages]);
  const named = (name: string | null) => languages.find((each) => each.name === name);
  const shown = named(linked) ?? named(language) ?? languages[0];
  if (shown === undefined) return null;
  const choose = (name: string) => {
    setLinked(null);
    chooseLanguage(name);
  };
  return (
    <Tabs
      value={shown.name}
      onValueChange={choose}
      data-languages=""
      data-ready={isReady || undefined}
      className="min-w-0"
    >
      <TabsList aria-label={`${label}: language`} className="mb-2 noscript:hidden">
        {languages.map(({ name }) => (
          <TabsTrigger key={name} value={name}>
            {name}
          </TabsTrigger>
        ))}
      </TabsList>
      {languages.map(({ name, id, content }) => (
        <TabsContent
          key={name}
          value={name}
          forceMount
          tabIndex={-1}
          data-name={name}
          className="data-[state=inactive]:hidden noscript:mb-4 noscript:data-[state=inactive]:block"
        >
          <div
            {...(id === undefined ? {} : { id, 'data-heading': '' })}
            className="grid min-w-0 scroll-mt-36 grid-cols-[minmax(0,1fr)] gap-3 lg:scroll-mt-26"
          >
            <p className="hidden font-medium text-sm noscript:block">{name}</p>
            {content}
          </div>
        </TabsContent>
      ))}
    </Tabs>
  );
}
