import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes compressed copies of each script and style sheet of a folder beside it: `<file>.br` and `<file>.gz`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => path.join(folder, name));
  // The threads of Node limit how many run at a time.
  await Promise.all(
    files.map(async (file) => {
      const content = await fs.promises.readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await fs.promises.writeFile(`${file}.br`, await brotli(content, { params }));
      await fs.promises.writeFile(`${file}.gz`, await gzipped(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
