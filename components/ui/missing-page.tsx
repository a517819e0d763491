import { SearchX } from 'lucide-react';
import { Link } from '@/components/ui/link';
import { Button } from './button';

/** The page of something that does not exist, or that the person must not see: what it was, and a way back. */
export function MissingPage({ title, sentence, back }: MissingPageProps) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center px-4 py-12 text-center">
      <SearchX aria-hidden="true" className="mb-3 size-6 text-muted" />
      <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
      <p className="mt-1 text-balance text-muted text-sm">{sentence}</p>
      <Button asChild className="mt-4">
        <Link href={back.href}>{back.label}</Link>
      </Button>
    </div>
  );
}

export interface MissingPageProps {
  /** "Event not found". */
  title: string;
  sentence: string;
  back: { href: string; label: string };
}
