'use client';

import { Button } from '@/components/ui/button';

/** Shows that a page failed because of a bug or a script that could not be loaded. Every page loads it, so it needs little. */
export default function PageError({ reset }: { reset: () => void }) {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <div role="alert" className="flex max-w-lg flex-col items-center px-4 py-12 text-center">
        <p className="font-semibold text-base">We couldn’t display this page.</p>
        <p className="mt-1 text-balance text-muted text-sm">
          An unexpected error occurred. Try again, or reload the page.
        </p>
        <Button className="mt-4" onClick={reset}>
          Try again
        </Button>
      </div>
    </main>
  );
}
