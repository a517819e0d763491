import type { Metadata } from 'next';
import { Brand } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b px-4 py-3 sm:px-6">
        <Link href="/" prefetch={false} className="inline-flex rounded-md">
          <Brand />
        </Link>
      </header>
      <main className="flex grow flex-col items-center justify-center px-4 py-12 text-center">
        <p className="font-mono text-muted text-sm">404</p>
        <h1 className="mt-1 font-semibold text-2xl tracking-tight">Page not found</h1>
        <p className="mt-1 text-muted text-sm">Check the URL. The page may have been deleted.</p>
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          <Button asChild variant="primary">
            <Link href="/" prefetch={false}>
              Go to the dashboard
            </Link>
          </Button>
          <Button asChild>
            <Link href="/docs/api" prefetch={false}>
              Read the documentation
            </Link>
          </Button>
        </div>
      </main>
    </div>
  );
}
