import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { resolveGuideLink } from '@/components/docs/guides/guide-groups';
import { Code } from '@/components/docs/prose';
import { Link } from '@/components/ui/link';
import delivery from '@/docs/images/delivery.png';
import endpoints from '@/docs/images/endpoints.png';
import overview from '@/docs/images/overview.png';
import { keyed } from './keyed';
import { decode } from './plain-text';

/** The pictures of `docs/images`, as links of `docs/guides` name them. */
const GUIDE_IMAGES = {
  '../images/delivery.png': delivery,
  '../images/endpoints.png': endpoints,
  '../images/overview.png': overview,
};

const LINK = 'font-medium text-accent-text hover:underline';

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
    case 'image':
      return <GuideImage href={(token as Tokens.Image).href} alt={decode((token as Tokens.Image).text)} />;
    case 'link':
      // An address in a sentence, such as http://localhost:PORT, is often only an example.
      if (token.raw === token.text) return decode(token.raw);
      return <MarkdownLink link={token as Tokens.Link} />;
    default:
      throw new Error(`A guide cannot contain ${token.type}.`);
  }
}

/** A link out of the site, to a page, or to a file of the repository, which has no page: its path is shown instead. */
function MarkdownLink({ link }: { link: Tokens.Link }) {
  const children = <InlineMarkdown tokens={link.tokens} />;
  if (/^(?:https?:|mailto:|#)/.test(link.href)) {
    return (
      <a href={link.href} className={LINK}>
        {children}
      </a>
    );
  }
  const target = link.href.startsWith('/') ? { page: link.href } : resolveGuideLink(link.href);
  if ('file' in target) {
    return (
      <>
        {children} (<Code>{target.file}</Code>)
      </>
    );
  }
  return (
    <Link href={target.page} prefetch={false} className={LINK}>
      {children}
    </Link>
  );
}

/** A picture of a guide. @throws Error for one that the build does not include */
function GuideImage({ href, alt }: { href: string; alt: string }) {
  const image = GUIDE_IMAGES[href as keyof typeof GUIDE_IMAGES];
  if (image === undefined) throw new Error(`GUIDE_IMAGES lacks ${href}.`);
  const { src, width, height } = image;
  // biome-ignore lint/performance/noImgElement: the pictures are not resized on the fly
  return <img src={src} alt={alt} width={width} height={height} loading="lazy" className="rounded-lg border" />;
}
