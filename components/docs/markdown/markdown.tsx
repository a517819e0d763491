import type { Token, Tokens } from 'marked';
import { Fragment } from 'react';
import { GuideExample } from '@/components/docs/api/guide/guide-example';
import type { CodeLanguage } from '@/components/ui/highlight-code';
import { headingId } from './heading-ids';
import { InlineMarkdown } from './inline-markdown';
import { keyed } from './keyed';

const LANGUAGES: Record<string, CodeLanguage> = {
  sh: 'shell',
  bash: 'shell',
  ts: 'javascript',
  js: 'javascript',
  json: 'json',
  yaml: 'yaml',
  sql: 'sql',
  python: 'python',
  go: 'go',
  php: 'php',
  ruby: 'ruby',
  java: 'java',
};

/** The server in the text of a guide; readers see their own. */
const SAMPLE_SERVER = /https:\/\/events\.example\.com/g;

/** Renders the blocks of a guide. HTML in it is not rendered. */
export function Markdown({ tokens }: { tokens: readonly Token[] }) {
  return (
    <>
      {keyed(tokens).map(({ key, part }) => (
        <Fragment key={key}>{renderBlock(part)}</Fragment>
      ))}
    </>
  );
}

function renderBlock(token: Token) {
  switch (token.type) {
    case 'paragraph':
      return (
        <p>
          <InlineMarkdown tokens={token.tokens ?? []} />
        </p>
      );
    case 'heading':
      return (
        <h3 id={headingId(token.text)} className="mt-2 scroll-mt-26 font-semibold text-base lg:scroll-mt-16">
          <InlineMarkdown tokens={token.tokens ?? []} />
        </h3>
      );
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      const label = lang === 'sh' ? 'Command' : 'Example';
      const code = text.replace(SAMPLE_SERVER, 'BASE_URL');
      return <GuideExample label={label} language={LANGUAGES[lang] ?? 'text'} code={code} />;
    }
    case 'list':
      return <MarkdownList list={token as Tokens.List} />;
    case 'table':
      return <MarkdownTable table={token as Tokens.Table} />;
    case 'space':
      return null;
    default:
      throw new Error(`A guide cannot contain ${token.type}.`);
  }
}

function MarkdownList({ list }: { list: Tokens.List }) {
  const List = list.ordered ? 'ol' : 'ul';
  return (
    <List className={`grid gap-1 pl-5 ${list.ordered ? 'list-decimal' : 'list-disc'}`}>
      {keyed(list.items).map(({ key: item, part: { tokens } }) => (
        <li key={item} className="min-w-0">
          {keyed(tokens).map(({ key, part }) => (
            <Fragment key={key}>
              {part.type === 'text' ? (
                <InlineMarkdown tokens={(part as Tokens.Text).tokens ?? []} />
              ) : (
                renderBlock(part)
              )}
            </Fragment>
          ))}
        </li>
      ))}
    </List>
  );
}

function MarkdownTable({ table }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full text-left text-sm">
        <thead className="border-b text-muted text-xs">
          <tr>
            {keyed(table.header).map(({ key, part }) => (
              <th key={key} scope="col" className="px-3 py-2 font-medium">
                <InlineMarkdown tokens={part.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {keyed(table.rows).map(({ key: row, part: cells }) => (
            <tr key={row}>
              {keyed(cells).map(({ key, part }) => (
                <td
                  key={key}
                  className="min-w-24 px-3 py-2 align-top first:[&_code]:whitespace-nowrap first:[&_code]:wrap-normal"
                >
                  <InlineMarkdown tokens={part.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
