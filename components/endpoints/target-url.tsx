import { cn } from '@/components/ui/cn';
import { splitUrl } from './split-url';

/**
 * A URL on one line that is shortened at the end of its origin, since the path tells endpoints apart. A tooltip shows all of it, and
 * screen readers read it in one piece.
 */
export function TargetUrl({ url, className }: { url: string; className?: string }) {
  const { origin, path } = splitUrl(url);
  return (
    <span title={url} className={cn('relative block min-w-0 font-mono text-xs', className)}>
      <span className="sr-only select-none">{url}</span>
      <span aria-hidden="true" className="flex">
        <span className="min-w-0 truncate">{origin}</span>
        <span className="max-w-[70%] shrink-0 truncate">{path}</span>
      </span>
    </span>
  );
}
