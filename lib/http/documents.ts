import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';
import { BUILT_BASE_URL } from '@/lib/platform/built-base-url';
import { acceptsBrotli, preferredCoding } from './accept-encoding';
import { matchesTag, tagOf } from './entity-tag';
import { hashSource, pageHeaders } from './page-headers';
import type { PageRoute } from './page-routes';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const gunzipped = promisify(gunzip);
/** Once for a page and process: 20 ms of another thread. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * Sends a page that the build rendered, or the page that says that there is none at this path. Returns false for others.
 *
 * @param page the page at the path, by the routes of the build
 */
export type ServeDocument = (
  message: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  page: PageRoute | null,
) => Promise<boolean>;

interface Options {
  /** Where the build writes its pages. */
  folder: string;
  /** The pages below this path are documents. */
  prefix: string;
  /** Replaces BUILT_BASE_URL. */
  baseUrl: string;
  framed: FramedPage;
}

/** A page that is the same for every value of its parameter, but for the pages that may frame it. */
interface FramedPage {
  /** Its template, such as `/portal/{projectId}`. */
  route: string;
  /** The file of the build, below the folder. */
  file: string;
  /** Returns the origins that may frame it. */
  framedBy(page: PageRoute): Promise<readonly string[]>;
}

/** What the build writes, by the ends of its names: pages, and the answers of routes that are the same for everybody, all in JSON. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.body': 'application/json',
};

interface Document {
  tag: string;
  type: string;
  /** The sources of its inline scripts. */
  scripts: string[];
  content: Record<'br' | 'gzip', Buffer>;
  /** Kept from the first client that accepts neither coding. It takes 2 ms of another thread. */
  identity?: Promise<Buffer>;
}

/**
 * Serves the pages that the build rendered without Next, which takes ten times as long. Each is read and compressed once, at its first
 * request, and then kept: about 60 kB a page, and 220 kB more where a client accepts no compression. They are the same for every reader;
 * their scripts add what a session shows.
 *
 * @throws Error when the folder is missing
 */
export function createDocuments({ folder, prefix, baseUrl, framed }: Options): ServeDocument {
  const files = new Map(
    fs
      .readdirSync(path.join(folder, prefix), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.extname(name) in TYPES)
      .map((name) => {
        const { dir, name: last } = path.parse(name);
        return [prefix + path.join(dir, last).split(path.sep).join('/'), path.join(folder, prefix, name)];
      }),
  );
  const known = new Map<string, Promise<Document>>();
  const read = (file: string) => {
    const document = known.get(file) ?? readDocument(file, baseUrl);
    known.set(file, document);
    document.catch(() => known.delete(file));
    return document;
  };
  const isMissing = (pathname: string, page: PageRoute | null) =>
    page === null || (pathname.startsWith(prefix) && page.route.includes('{'));
  return async (message, response, pathname, page) => {
    // Next's own client asks for parts of pages, and Next redirects a path that ends with a slash.
    if (message.headers.rsc !== undefined || pathname.endsWith('/')) return false;
    const isFramed = page?.route === framed.route;
    const file = isFramed ? path.join(folder, framed.file) : files.get(pathname);
    if (file === undefined && !isMissing(pathname, page)) return false;
    // Another build may have replaced the files of this process.
    const document = await read(file ?? path.join(folder, '_not-found.html')).catch(() => null);
    if (document === null) return false;
    // Without the database, nothing that the page shows can be read.
    const framedBy = isFramed ? await framed.framedBy(page).catch(() => []) : [];
    await send(message, response, { document, framedBy, status: file === undefined ? 404 : 200 });
    return true;
  };
}

interface Answer {
  document: Document;
  framedBy: readonly string[];
  status: 200 | 404;
}

async function send(
  message: IncomingMessage,
  response: ServerResponse,
  { document, framedBy, status }: Answer,
): Promise<void> {
  const { scripts, tag, type } = document;
  const accepted = String(message.headers['accept-encoding'] ?? '');
  const coding = acceptsBrotli(accepted) ? 'br' : preferredCoding(accepted);
  const content = await contentOf(document, coding);
  const headers = {
    ...pageHeaders(message.headers.host, scripts, framedBy),
    'Cache-Control': 'no-cache',
    ETag: `W/${tag}`,
    Vary: 'Accept-Encoding',
  };
  if (status === 200 && matchesTag(message.headers['if-none-match'], tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(status, {
    ...headers,
    'Content-Type': type,
    'Content-Length': content.length,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
  });
  response.end(message.method === 'HEAD' ? undefined : content);
}

async function contentOf(document: Document, coding: 'br' | 'gzip' | 'identity'): Promise<Buffer> {
  if (coding !== 'identity') return document.content[coding];
  document.identity ??= gunzipped(document.content.gzip);
  return document.identity;
}

async function readDocument(file: string, baseUrl: string): Promise<Document> {
  const content = Buffer.from((await fs.promises.readFile(file, 'utf8')).replaceAll(BUILT_BASE_URL, baseUrl));
  return {
    tag: tagOf(content),
    type: TYPES[path.extname(file)] ?? '',
    scripts: file.endsWith('.html') ? inlineScripts(content.toString()).map(hashSource) : [],
    content: { br: await brotli(content, BROTLI_OPTIONS), gzip: await gzipped(content) },
  };
}

function inlineScripts(page: string): string[] {
  const elements = [...page.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)];
  return elements.flatMap(([, attributes = '', script = '']) => (/\bsrc=/.test(attributes) ? [] : [script]));
}
