import type { Metadata } from 'next';
import Link from 'next/link';
import { Button } from '@/components/ui/button';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 text-center">
      <p className="font-mono text-muted text-sm">404</p>
      <h1 className="mt-1 font-semibold text-xl">Page not found</h1>
      <p className="mt-1 text-muted text-sm">Check the address. The page may have been deleted.</p>
      <Button asChild className="mt-5">
        <Link href="/">Go to the dashboard</Link>
      </Button>
    </main>
  );
}
