import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

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

const contents = new Map<string, string>();
function contentOf(file: string): string {
  const known = contents.get(file) ?? readFileSync(file, 'utf8');
  contents.set(file, known);
  return known;
}

/** Why nothing is found at a path from the root; null when it exists. */
function faultOf(target: string): string | null {
  const [file = '', anchor] = target.split('#');
  if (!existsSync(file)) return 'no such file';
  if (anchor === undefined || anchor === '') return null;
  if (statSync(file).isDirectory() || !file.endsWith('.md')) return 'anchors are of documents only';
  return anchorsOf(contentOf(file)).has(anchor) ? null : 'no such heading';
}

/** The path from the root that a link of a document leads to. */
function resolve({ file, target }: Reference): string {
  const [relative = '', ...anchor] = decodeURIComponent(target).split('#');
  const where = relative === '' ? file : path.posix.join(path.posix.dirname(file), relative);
  return [where, ...anchor].join('#');
}

it('the documents link to files and headings that exist', () => {
  const documents = filesBelow('.').filter((file) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(file));
  const links = documents.flatMap((file) => linksIn(file, contentOf(file)));
  expect(links.length).toBeGreaterThan(20);
  const dead = links.flatMap((link) => {
    const fault = faultOf(resolve(link));
    return fault === null ? [] : [`${link.file}:${link.line} ${link.target}: ${fault}`];
  });
  expect(dead).toEqual([]);
});
