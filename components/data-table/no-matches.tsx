'use client';

import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** Explains that no row passes the filters, and clears them. */
export function NoMatches({ title, sentence, onClear }: { title: string; sentence: ReactNode; onClear: () => void }) {
  return <EmptyState title={title} sentence={sentence} action={<Button onClick={onClear}>Clear filters</Button>} />;
}
