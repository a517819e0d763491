import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { acceptsBrotli } from './accept-encoding';

/** The ending of a file that the build compressed. */
const COMPRESSED = '.br';
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
};

/** Sends a script or style sheet in brotli. Returns false when it has none, or the client does not accept it. */
export type ServeStatic = (message: IncomingMessage, response: ServerResponse, pathname: string) => Promise<boolean>;

/**
 * Finds the files that the build compressed, once: nothing else is ever read.
 *
 * @param folder the files below `prefix`
 */
export function createStaticFiles(folder: string, prefix: string): ServeStatic {
  const files = new Map(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(COMPRESSED))
      .map((name) => [prefix + name.slice(0, -COMPRESSED.length).split(path.sep).join('/'), path.join(folder, name)]),
  );
  return async (message, response, pathname) => {
    const file = files.get(pathname);
    const { range, 'accept-encoding': accepted } = message.headers;
    if (file === undefined || range !== undefined || !acceptsBrotli(String(accepted ?? ''))) return false;
    const content = await fs.promises.readFile(file).catch(() => null);
    // Another build has replaced the files of this process.
    if (content === null) return false;
    response.writeHead(200, {
      'Content-Type': MEDIA_TYPES[path.extname(pathname)] ?? 'application/octet-stream',
      'Content-Encoding': 'br',
      'Content-Length': content.length,
      // The name of each file contains a hash of its content.
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    response.end(message.method === 'HEAD' ? undefined : content);
    return true;
  };
}
