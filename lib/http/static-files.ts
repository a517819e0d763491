import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { acceptsBrotli, preferredCoding } from './accept-encoding';

/** The endings of the copies that the build compressed, by their coding. */
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.map': 'application/json; charset=UTF-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=UTF-8',
};
/** The name of each file of the build contains a hash of its content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Sends a file; false when there is none at this path. */
export type ServeStatic = (message: IncomingMessage, response: ServerResponse, pathname: string) => Promise<boolean>;

interface Folder {
  folder: string;
  /** The path of its files begins with this. */
  prefix: string;
  cacheControl: string;
}

interface StaticFile {
  file: string;
  cacheControl: string;
}

/**
 * Lists the files of folders, once: nothing else is ever read. Sends the copy that the build compressed, else the file itself: no
 * request costs compression.
 */
export function createStaticFiles(folders: readonly Folder[]): ServeStatic {
  const files = new Map(folders.flatMap(listFiles));
  return async (message, response, pathname) => {
    const found = files.get(pathname);
    if (found === undefined) return false;
    const coding = chooseCoding(String(message.headers['accept-encoding'] ?? ''), (ending) =>
      files.has(pathname + ending),
    );
    const handle = await fs.promises.open(found.file + (coding === null ? '' : ENDINGS[coding])).catch(() => null);
    // Another build has replaced the files of this process.
    if (handle === null) return false;
    try {
      response.writeHead(200, {
        'Content-Type': MEDIA_TYPES[path.extname(pathname)] ?? 'application/octet-stream',
        ...(coding === null ? {} : { 'Content-Encoding': coding }),
        'Content-Length': (await handle.stat()).size,
        'Cache-Control': found.cacheControl,
        Vary: 'Accept-Encoding',
      });
      if (message.method === 'HEAD') response.end();
      // In pieces, as fast as the client reads.
      else await pipeline(handle.createReadStream({ autoClose: false }), response).catch(() => response.destroy());
    } finally {
      await handle.close();
    }
    return true;
  };
}

function listFiles({ folder, prefix, cacheControl }: Folder): [string, StaticFile][] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [prefix + path.relative(folder, file).split(path.sep).join('/'), { file, cacheControl }];
    });
}

function chooseCoding(accepted: string, hasCopy: (ending: string) => boolean): keyof typeof ENDINGS | null {
  if (acceptsBrotli(accepted) && hasCopy(ENDINGS.br)) return 'br';
  return preferredCoding(accepted) === 'gzip' && hasCopy(ENDINGS.gzip) ? 'gzip' : null;
}
