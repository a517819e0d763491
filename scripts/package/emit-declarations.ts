import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTool } from '@/scripts/start/run-tool.mjs';
import { printDeclarations, type Use } from './print-declarations';

const ENTRIES = ['lib/client/index', 'lib/client/react'];
const TYPES = 'types';
/** The packages whose types a declaration may use: the peers of the package. */
const PEERS = ['react'];
/** What the client takes from the service: schemas, and the types of two files. */
const FROM_SERVICE = /^lib\/(?:[\w-]+\/)+schema$|^lib\/platform\/(?:errors|pagination)$/;
/** The types of inputs, which the declarations replace. */
const INPUTS = 'lib/client/query';

/**
 * Writes the declarations of the client, which need no other package and no path of this repository.
 * @param folder gets index.d.ts, the files that it refers to, and types.d.ts with the types of requests and responses
 * @throws Error when a declaration refers to something that the package does not contain
 */
export async function emitDeclarations(folder: string): Promise<void> {
  const emitted = fs.mkdtempSync(path.join(os.tmpdir(), 'declarations-'));
  try {
    const config = 'scripts/package/tsconfig.declarations.json';
    const args = ['node_modules/typescript/bin/tsc', '-p', config, '--outDir', emitted];
    await runTool('tsc', process.execPath, args);
    const uses = new Map<string, Use>();
    for (const [file, text] of reachable(emitted)) write(path.join(folder, `${file}.d.ts`), rewrite(file, text, uses));
    fs.appendFileSync(path.join(folder, 'index.d.ts'), `export type * from './${TYPES}.js';\n`);
    write(path.join(folder, `${TYPES}.d.ts`), printDeclarations(uses));
  } finally {
    fs.rmSync(emitted, { recursive: true });
  }
}

/** The declarations of the client that its entries refer to, by their path below lib/client. */
function reachable(emitted: string): Map<string, string> {
  const found = new Map<string, string>();
  const queue = [...ENTRIES];
  for (const file of queue) {
    const name = path.posix.relative('lib/client', file);
    if (found.has(name)) continue;
    const text = fs.readFileSync(path.join(emitted, `${file}.d.ts`), 'utf8');
    found.set(name, text);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolve(name, specifier);
      if (target.startsWith('lib/client/') && target !== INPUTS) queue.push(target);
    }
  }
  return found;
}

const IMPORT = /^(?:import|export) [^;]*?\bfrom ['"]([^'"]+)['"];$/gm;

/** Points the imports of a declaration to files of the package, and notes which types of the service it uses. */
function rewrite(file: string, text: string, uses: Map<string, Use>): string {
  const inputs = new Map(
    [...text.matchAll(INPUT)].map(([, kind, name = '']) => [name, kind === 'Query' ? 'query' : 'body'] as const),
  );
  const rewritten = text.replaceAll(INPUT, '$2').replaceAll(IMPORT, (statement, specifier: string) => {
    const target = resolve(file, specifier);
    if (target === INPUTS) return '';
    if (PEERS.includes(target)) return statement;
    if (target.startsWith('lib/client/')) {
      return statement.replace(specifier, relative(file, target.slice('lib/client/'.length)));
    }
    if (!FROM_SERVICE.test(target)) throw new Error(`${file}.d.ts refers to ${specifier}`);
    for (const name of namesOf(statement)) note(uses, name, inputs.get(name) ?? 'response');
    return statement.replace(specifier, relative(file, TYPES));
  });
  if (/@\/|\bimport\(|\btypeof [A-Z][a-z]/.test(rewritten)) throw new Error(`${file}.d.ts is not self-contained`);
  return rewritten.replace(/^\n+/gm, '');
}

const INPUT = /\b(Body|Query)<typeof (\w+)>/g;

function note(uses: Map<string, Use>, name: string, use: Use): void {
  const noted = uses.get(name) ?? use;
  if (noted !== use) throw new Error(`${name} is used as ${noted} and as ${use}`);
  uses.set(name, use);
}

function namesOf(statement: string): string[] {
  const names = /\{([^}]*)\}/.exec(statement)?.[1] ?? '';
  return names.split(',').flatMap((each) => each.trim().replace(/^type /, '') || []);
}

/** The path from the root that a specifier leads to. */
function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  return specifier.startsWith('.') ? path.posix.join('lib/client', path.posix.dirname(file), specifier) : specifier;
}

/** The specifier with which a file of the package refers to another. */
function relative(file: string, target: string): string {
  const found = path.posix.relative(path.posix.dirname(file), target);
  return `${found.startsWith('.') ? '' : './'}${found}.js`;
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
