'use client';

import { ErrorPanel } from '@/components/ui/error-panel';

export default function PageError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <ErrorPanel what="We couldn’t display this page" error={error} onRetry={reset} />
    </main>
  );
}
