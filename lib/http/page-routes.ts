import fs from 'node:fs';
import * as z from 'zod';
import { toMatcher } from './table';

const Pages = z.array(z.object({ page: z.string() }));
const Manifest = z.object({ staticRoutes: Pages, dynamicRoutes: Pages });

/** The template of a page, and the values of its parameters. */
export interface PageRoute {
  route: string;
  params: Record<string, string>;
}

/** Finds the page at a path; null where there is none. */
export type FindPage = (pathname: string) => PageRoute | null;

/**
 * Reads the pages of a build, so that metrics and the log name a page by its template.
 *
 * @param file Next's routes-manifest.json
 * @throws Error when the build has none
 */
export function createPageRoutes(file: string): FindPage {
  const { staticRoutes, dynamicRoutes } = Manifest.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const templates = [...staticRoutes, ...dynamicRoutes].map(({ page }) => page.replace(/\[([^\]]+)\]/g, '{$1}'));
  return toMatcher(Object.fromEntries(templates.map((template) => [template, {}])));
}
