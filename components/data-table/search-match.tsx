import type { SearchMatch } from '@/lib/events/schema';

/** The piece of the content where a search found its text. Renders nothing without one. */
export function FoundText({ match }: { match?: SearchMatch | undefined }) {
  if (match === undefined) return null;
  const { before, found, after } = match;
  return (
    <span
      title={`${before}${found}${after}`}
      className="mt-0.5 block max-w-full truncate font-mono text-muted text-xs sm:max-w-80 lg:max-w-96"
    >
      <span className="max-sm:hidden">{before}</span>
      <mark className="rounded-xs bg-accent-subtle text-text">{found}</mark>
      {after}
    </span>
  );
}

/** Says how a search looks for text, when it found nothing. @param noun the part that is searched */
export function SearchHint({ noun }: { noun: 'data' | 'body' }) {
  return (
    <>
      Every word must be in the {noun}, in the same upper and lower case; white space between the tokens of JSON doesn’t
      matter. Try the value alone, in quotes for the entire value: <code>&quot;42&quot;</code>.{' '}
    </>
  );
}
