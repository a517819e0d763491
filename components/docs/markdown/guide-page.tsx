import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { GuideExample } from '@/components/docs/guide-example';
import { resolveGuideLink } from '@/components/docs/guides/guide-groups';
import { type Language, LanguageTabs } from '@/components/docs/language-tabs';
import { LinkedSection } from '@/components/docs/linked-section';
import { Code } from '@/components/docs/prose';
import type { CodeLanguage } from '@/components/ui/highlight-code';
import { TextLink } from '@/components/ui/link';
import delivery from '@/docs/images/delivery.png';
import endpoints from '@/docs/images/endpoints.png';
import overview from '@/docs/images/overview.png';
import { decode, type Guide, type GuidePart, headingId, LANGUAGE_NAMES, nameServer } from './parse-guide';

/** A page of the documentation that is written in Markdown; `children` follow its last part. */
export function GuidePage({ guide, children }: { guide: Guide; children?: ReactNode }) {
  // A first paragraph is the subtitle of the guide.
  const leadLength = guide.intro[0]?.type === 'paragraph' ? 1 : 0;
  return (
    <article className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">{guide.title}</h1>
      <div className="mt-3 grid min-w-0 gap-3">
        <div className="text-muted empty:hidden">
          <Markdown tokens={guide.intro.slice(0, leadLength)} />
        </div>
        <Markdown tokens={guide.intro.slice(leadLength)} />
      </div>
      {guide.parts.map(({ id, title, tokens, languages }) => (
        <LinkedSection key={id} id={id} title={title}>
          <Markdown tokens={tokens} />
          {languages.length === 0 ? null : <LanguageTabs label={title} languages={languages.map(toLanguage)} />}
        </LinkedSection>
      ))}
      {children}
    </article>
  );
}

function toLanguage({ id, title, tokens }: GuidePart['languages'][number]): Language {
  return { id, name: title, content: <Markdown tokens={tokens} /> };
}

const LANGUAGES: Record<string, CodeLanguage> = {
  sh: 'shell',
  bash: 'shell',
  ts: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  json: 'json',
  yaml: 'yaml',
  sql: 'sql',
  python: 'python',
  go: 'go',
  php: 'php',
  ruby: 'ruby',
  java: 'java',
};

/** Renders the blocks of a guide, or the text of a block. HTML in it is not rendered. */
function Markdown({ tokens = [] }: { tokens: readonly Token[] | undefined }) {
  return groupCode(tokens).map((each, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes
    <Fragment key={position}>
      {Array.isArray(each) ? (
        <LanguageTabs label="Example" languages={each.map(codeToLanguage)} />
      ) : (
        renderToken(each as MarkedToken)
      )}
    </Fragment>
  ));
}

/** Puts code in several languages that follows one another into one array: each language once, and none but in the first place a shell. */
function groupCode(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const grouped: (Token | Tokens.Code[])[] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = grouped.at(-1);
    const before = Array.isArray(last) ? last : [last];
    const first = before[0];
    if (
      isCode(token) &&
      token.lang !== 'sh' &&
      isCode(first) &&
      !before.some((each) => isCode(each) && each.lang === token.lang)
    ) {
      grouped[grouped.length - 1] = [...(before as Tokens.Code[]), token];
    } else grouped.push(token);
  }
  return grouped;
}

function isCode(token: Token | undefined): token is Tokens.Code {
  return token?.type === 'code' && token.lang in LANGUAGE_NAMES;
}

function codeToLanguage(token: Tokens.Code): Language {
  return { name: LANGUAGE_NAMES[token.lang ?? ''] ?? '', content: renderToken(token as MarkedToken) };
}

function renderToken(token: MarkedToken): ReactNode {
  const children = <Markdown tokens={'tokens' in token ? token.tokens : []} />;
  switch (token.type) {
    case 'space':
      return null;
    case 'paragraph':
      return <p>{children}</p>;
    case 'heading':
      return (
        <h3 id={headingId(token.text)} className="mt-2 scroll-mt-26 font-semibold text-base lg:scroll-mt-16">
          {children}
        </h3>
      );
    case 'code': {
      const { text, lang = '' } = token;
      const label = lang === 'sh' ? 'Command' : 'Example';
      const code = nameServer(text);
      return <GuideExample label={label} language={LANGUAGES[lang] ?? 'text'} code={code} />;
    }
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List className={`grid gap-1 pl-5 ${token.ordered ? 'list-decimal' : 'list-disc'}`}>
          <Markdown tokens={token.items} />
        </List>
      );
    }
    case 'list_item':
      return <li className="min-w-0">{children}</li>;
    case 'table':
      return <MarkdownTable table={token} />;
    case 'text':
      return token.tokens === undefined ? decode(token.text) : children;
    case 'escape':
      return decode(token.text);
    case 'codespan':
      return <Code>{decode(token.text)}</Code>;
    case 'strong':
      return <strong className="font-semibold">{children}</strong>;
    case 'em':
      return <em>{children}</em>;
    case 'br':
      return <br />;
    case 'image':
      return <GuideImage href={token.href} alt={decode(token.text)} />;
    case 'link':
      // An address in a sentence, such as http://localhost:PORT, is often only an example.
      return token.raw === token.text ? decode(token.raw) : <MarkdownLink href={token.href}>{children}</MarkdownLink>;
    default:
      throw new Error(`A guide cannot contain ${token.type}.`);
  }
}

/** A link out of the site, to a page, or to a file of the repository, which has no page: its path is shown instead. */
function MarkdownLink({ href, children }: { href: string; children: ReactNode }) {
  if (/^(?:https?:|mailto:|#)/.test(href)) {
    return (
      <a href={href} className="font-medium text-accent-text underline-offset-4 hover:underline">
        {children}
      </a>
    );
  }
  const target = href.startsWith('/') ? { page: href } : resolveGuideLink(href);
  if ('file' in target) {
    return (
      <>
        {children} (<Code>{target.file}</Code>)
      </>
    );
  }
  return (
    <TextLink href={target.page} prefetch={false}>
      {children}
    </TextLink>
  );
}

/** The pictures of `docs/images`, as links of `docs/guides` name them. */
const GUIDE_IMAGES = {
  '../images/delivery.png': delivery,
  '../images/endpoints.png': endpoints,
  '../images/overview.png': overview,
};

/** A picture of a guide. @throws Error for one that the build does not include */
function GuideImage({ href, alt }: { href: string; alt: string }) {
  const image = GUIDE_IMAGES[href as keyof typeof GUIDE_IMAGES];
  if (image === undefined) throw new Error(`GUIDE_IMAGES lacks ${href}.`);
  const { src, width, height } = image;
  // biome-ignore lint/performance/noImgElement: the pictures are not resized on the fly
  return <img src={src} alt={alt} width={width} height={height} loading="lazy" className="rounded-lg border" />;
}

function MarkdownTable({ table }: { table: Tokens.Table }) {
  const cells = (row: Tokens.TableCell[], render: (cell: ReactNode, position: number) => ReactNode) =>
    row.map(({ tokens }, position) => render(<Markdown tokens={tokens} />, position));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full text-left text-sm">
        <thead className="border-b text-muted text-xs">
          <tr>
            {cells(table.header, (cell, position) => (
              <th key={position} scope="col" className="px-3 py-2 font-medium">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {table.rows.map((row, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a guide never changes
            <tr key={position}>
              {cells(row, (cell, column) => (
                <td
                  key={column}
                  className="min-w-24 px-3 py-2 align-top first:[&_code]:whitespace-nowrap first:[&_code]:wrap-normal"
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
