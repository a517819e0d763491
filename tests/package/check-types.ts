import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Ended, runIn } from './install-package';

export const TSC = path.resolve('node_modules/typescript/bin/tsc');

/** Type-checks files of a folder as a strict program, with the declarations of every package that it imports. */
export function checkTypes(folder: string, options: object, files: readonly string[]): Promise<Ended> {
  const strict = { strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true, types: [] };
  const compilerOptions = { target: 'es2022', ...strict, ...options };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return runIn(folder, [process.execPath, TSC, '-p', '.']);
}
