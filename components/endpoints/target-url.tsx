import { cn } from '@/components/ui/cn';

/**
 * A URL whose origin is never cut: a path that does not fit beside it is on a second line, and shortened at its end. A tooltip shows all
 * of it, and screen readers read it in one piece.
 */
export function TargetUrl({ url, className }: { url: string; className?: string }) {
  const { origin, path } = splitUrl(url);
  return (
    <span title={url} className={cn('relative block min-w-0 font-mono text-xs', className)}>
      <span className="sr-only select-none">{url}</span>
      <span aria-hidden="true" className="flex flex-wrap">
        <span className="max-w-full break-words">{origin}</span>
        <span className="max-w-full truncate">{path}</span>
      </span>
    </span>
  );
}

/** Splits a URL into its origin and the rest, as they are written. The rest of what is not a URL is empty. */
export function splitUrl(url: string): { origin: string; path: string } {
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;
  return { origin, path: url.slice(origin.length) };
}
