import { config } from '@/lib/platform/config/config';
import { once } from '@/lib/platform/globals';
import { searchPathOf } from './current-cell';

/*
 * Where the cells are on several machines, by Citus: the statements of ingest and delivery go to the machine that has their cell, since
 * through the coordinator they take several times as long. All others go to the coordinator, which has the tables that are in no cell.
 */

/** A machine of the cluster. */
export interface CellNode {
  cell: string;
  host: string;
  port: number;
}

const state = () =>
  once('cell-nodes', () => ({
    urls: new Map<string, string>(),
    onChange: new Set<() => void>(),
    areRowsCopied: false,
  }));

/**
 * Replaces what this process knows of the machines that have cells: none for a cell where DATABASE_URL leads.
 * @param areRowsCopied whether Citus may copy tables of all cells to each machine
 */
export function setCellNodes(nodes: readonly CellNode[], areRowsCopied: boolean): void {
  const { urls, onChange } = Object.assign(state(), { areRowsCopied });
  const added = new Map(nodes.map((node) => [searchPathOf(node.cell), urlOf(node)]));
  const isSame = added.size === urls.size && [...added].every(([path, url]) => urls.get(path) === url);
  if (isSame) return;
  urls.clear();
  for (const [path, url] of added) urls.set(path, url);
  for (const listener of onChange) listener();
}

/** Returns DATABASE_URL for another machine: all of them have the same database, roles and passwords. */
function urlOf({ host, port }: CellNode): string {
  const url = new URL(config().DATABASE_URL ?? '');
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

/** Whether tables of all cells may be copied to each machine, so that a lock of one of their rows would be one of the table. */
export const areRowsCopied = (): boolean => state().areRowsCopied;

/** Returns the URL for the tables of a cell, by its search path; undefined where it is DATABASE_URL. */
export const nodeUrlOf = (searchPath: string): string | undefined => state().urls.get(searchPath);

/** Returns the URLs of all machines with cells, but that of DATABASE_URL. */
export const nodeUrls = (): string[] => [...new Set(state().urls.values())];

/** Calls a function after each change of them. @returns a function that ends that */
export function onNodesChange(listener: () => void): () => void {
  const { onChange } = state();
  onChange.add(listener);
  return () => onChange.delete(listener);
}
