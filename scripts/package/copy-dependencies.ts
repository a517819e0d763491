import fs from 'node:fs';
import path from 'node:path';

/** Sources, tests and source maps, which no program needs. A map would also name paths of its author's machine. */
const LEFT_OUT = /\.map$|\.(?:test|bench)\.|(?<!\.d)\.ts$|(?:^|[\\/])tsconfig\.json$/;

/** Copies an installed package, and those that it depends on, into the node_modules of another. */
export function copyDependencies(names: readonly string[], folder: string): void {
  const queue = [...names];
  for (const name of queue) {
    const source = path.join('node_modules', name);
    const target = path.join(folder, 'node_modules', name);
    fs.cpSync(source, target, { recursive: true, filter: (file) => !LEFT_OUT.test(file) });
    for (const file of fs.readdirSync(target, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.js')) dropSourceMap(path.join(target, file));
    }
    const { dependencies = {} } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8'));
    queue.push(...Object.keys(dependencies).filter((each) => !queue.includes(each)));
  }
}

/** Without its map, the comment would only make debuggers look for a file that is missing. */
function dropSourceMap(file: string): void {
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace(/^\/\/# sourceMappingURL=.*\n?/gm, ''));
}
