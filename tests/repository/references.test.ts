import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = /\.(?:ts|tsx|mjs|sql|prisma|ya?ml)$/;
/** Folders without text of this project. Those that start with a dot are skipped as well. */
const SKIPPED = new Set(['node_modules', 'public', 'generated']);
const EXTERNAL = /^[a-z][a-z+.-]*:/i;

/** Where a reference is and what it names. */
interface Reference {
  file: string;
  line: number;
  target: string;
}

/** The files below a folder, by their path from the root. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (!entry.isDirectory()) return [file];
    return SKIPPED.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(file);
  });
}

/** Blanks fenced code blocks; lines keep their numbers. */
function withoutFences(markdown: string): string {
  return markdown.replace(/^( *)(```+|~~~+).*\n[\s\S]*?^ *\2 *$/gm, (block) => block.replace(/[^\n]/g, ''));
}

/** The anchors that GitHub gives to the headings of a document, and those that it sets itself. */
function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>();
  const text = withoutFences(markdown);
  const headings = [...text.matchAll(/^#{1,6} +(.*?)(?: +#+)? *$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const own = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}

/** The matches of `pattern` in a file; its first group is the target. */
function referencesIn(file: string, text: string, pattern: RegExp): Reference[] {
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    target: match[1] ?? match[0],
  }));
}

/** The relative links of a document, without those in code. */
function linksIn(file: string, markdown: string): Reference[] {
  const text = withoutFences(markdown).replace(/(`+)(?!`).+?(?<!`)\1(?!`)/g, (code) => ' '.repeat(code.length));
  const inline = referencesIn(file, text, /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const defined = referencesIn(file, text, /^ *\[[^\]]+\]: +<?([^\s>]+)/gm);
  return [...inline, ...defined].filter(({ target }) => !EXTERNAL.test(target));
}

/** Documents that a comment names: `docs/….md`, with an anchor or without, and decisions by their number alone. */
function mentionsIn(file: string, text: string): Reference[] {
  return referencesIn(file, text, /(?<![\w./@-])(docs\/(?:[\w./-]+\.md(?:#[\w-]+)?|decisions\/\d[\w-]*))/g);
}

/** Files and folders that a document names in code; a name with a placeholder or a `*` is not one. */
function pathsIn(file: string, markdown: string): Reference[] {
  return referencesIn(
    file,
    markdown,
    /`((?:app|components|deploy|docs|e2e|lib|prisma|public|scripts|tests)\/[^`\s<*]*)`/g,
  );
}

const contents = new Map<string, string>();
function contentOf(file: string): string {
  const known = contents.get(file) ?? readFileSync(file, 'utf8');
  contents.set(file, known);
  return known;
}

/** Why nothing is found at a path from the root; null when it exists. */
function faultOf(target: string): string | null {
  const [given = '', anchor] = target.split('#');
  const file = /^docs\/decisions\/\d{3}$/.test(given) ? decisionOf(given) : withExtension(given);
  if (file === null || !existsSync(file)) return 'no such file';
  if (anchor === undefined || anchor === '') return null;
  if (statSync(file).isDirectory() || !file.endsWith('.md')) return 'anchors are of documents only';
  return anchorsOf(contentOf(file)).has(anchor) ? null : 'no such heading';
}

function decisionOf(numbered: string): string | null {
  const found = readdirSync('docs/decisions').filter((name) => name.startsWith(`${path.basename(numbered)}-`));
  return found.length === 1 ? `docs/decisions/${found[0]}` : null;
}

function withExtension(file: string): string {
  return /^docs\/decisions\/\d[\w-]*$/.test(file) ? `${file}.md` : file;
}

/** The path from the root that a link of a document leads to. */
function resolve({ file, target }: Reference): string {
  const [relative = '', ...anchor] = decodeURIComponent(target).split('#');
  const where = relative === '' ? file : path.posix.join(path.posix.dirname(file), relative);
  return [where, ...anchor].join('#');
}

function deadOnes(references: readonly Reference[], toPath: (reference: Reference) => string): string[] {
  return references.flatMap((reference) => {
    const fault = faultOf(toPath(reference));
    return fault === null ? [] : [`${reference.file}:${reference.line} ${reference.target}: ${fault}`];
  });
}

describe('the documents and comments', () => {
  const all = filesBelow('.');
  const documents = all.filter((file) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(file));
  const sources = all.filter((file) => SOURCE.test(file));
  const links = documents.flatMap((file) => linksIn(file, contentOf(file)));
  const mentions = [...documents, ...sources].flatMap((file) => mentionsIn(file, contentOf(file)));

  it('link to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(20);
    expect(deadOnes(links, resolve)).toEqual([]);
  });

  it('name documents and headings that exist', () => {
    expect(mentions.length).toBeGreaterThan(3);
    expect(deadOnes(mentions, ({ target }) => target)).toEqual([]);
  });

  it('name files and folders of the code that exist', () => {
    const named = documents.flatMap((file) => pathsIn(file, contentOf(file)));
    expect(named.length).toBeGreaterThan(50);
    expect(deadOnes(named, ({ target }) => target)).toEqual([]);
  });
});
