import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Code } from '@/components/docs/prose';
import { Link } from '@/components/ui/link';
import { keyed } from './keyed';

const LINK = 'font-medium text-accent-text hover:underline';
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Renders the text of a block. */
export function InlineMarkdown({ tokens }: { tokens: readonly Token[] }) {
  return (
    <>
      {keyed(tokens).map(({ key, part }) => (
        <Fragment key={key}>{renderInline(part)}</Fragment>
      ))}
    </>
  );
}

function renderInline(token: Token): ReactNode {
  switch (token.type) {
    case 'escape':
      return decode((token as Tokens.Escape).text);
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? decode(text) : <InlineMarkdown tokens={tokens} />;
    }
    case 'codespan':
      return <Code>{decode(token.text)}</Code>;
    case 'strong':
      return (
        <strong className="font-semibold">
          <InlineMarkdown tokens={token.tokens ?? []} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <InlineMarkdown tokens={token.tokens ?? []} />
        </em>
      );
    case 'br':
      return <br />;
    case 'link':
      return <MarkdownLink link={token as Tokens.Link} />;
    default:
      throw new Error(`A guide cannot contain ${token.type}.`);
  }
}

function MarkdownLink({ link }: { link: Tokens.Link }) {
  const children = <InlineMarkdown tokens={link.tokens} />;
  if (!link.href.startsWith('/')) {
    return (
      <a href={link.href} className={LINK}>
        {children}
      </a>
    );
  }
  return (
    <Link href={link.href} prefetch={false} className={LINK}>
      {children}
    </Link>
  );
}

/** The parser escapes text for HTML, which React does again. */
function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
