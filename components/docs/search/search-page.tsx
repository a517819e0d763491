import { TextLink } from '@/components/ui/link';
import type { Excerpt } from './excerpt';
import type { SearchEntry } from './search-index';

export type TextMatch = SearchEntry & { excerpt: Excerpt };

/** What a search finds: pages and calls by name, then text of the guides. Works without JavaScript. */
export function SearchPage({
  typed,
  names,
  texts,
}: {
  typed: string;
  names: readonly SearchEntry[];
  texts: readonly TextMatch[];
}) {
  const count = names.length + texts.length;
  const nothing = typed === '' ? 'Type words into the search field.' : `Nothing matches “${typed}”.`;
  return (
    <article className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">Search</h1>
      <p role="status" className="mt-3 text-muted">
        {count === 0 ? nothing : `${count === 1 ? '1 result' : `${count} results`} for “${typed}”`}
      </p>
      {texts.length === 0 ? null : (
        <Results title="In the guides">
          {texts.map(({ href, title, page, excerpt }) => (
            <Result key={href} href={href} title={title} page={page}>
              {excerpt.map(({ text, isMatch }, index) => {
                const key = `${String(index)} ${text}`;
                return isMatch ? (
                  <mark key={key} className="rounded-sm bg-accent-subtle font-medium text-accent-text">
                    {text}
                  </mark>
                ) : (
                  <span key={key}>{text}</span>
                );
              })}
            </Result>
          ))}
        </Results>
      )}
      {names.length === 0 ? null : (
        <Results title="In the reference">
          {names.map(({ href, title, page, call }) => (
            <Result key={href} href={href} title={title} page={page}>
              {call === undefined ? null : <span className="font-mono">{`${call.method} ${call.path}`}</span>}
            </Result>
          ))}
        </Results>
      )}
    </article>
  );
}

function Results({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="mt-8">
      <h2 className="font-semibold text-lg">{title}</h2>
      <ul className="mt-3 grid gap-4">{children}</ul>
    </section>
  );
}

function Result({
  href,
  title,
  page,
  children,
}: {
  href: string;
  title: string;
  page: string;
  children: React.ReactNode;
}) {
  return (
    <li>
      <TextLink href={href} prefetch={false}>
        {title}
      </TextLink>
      <span className="text-muted text-sm"> · {page}</span>
      <p className="wrap-anywhere text-muted text-sm">{children}</p>
    </li>
  );
}
