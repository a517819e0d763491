/** A part of the documentation, such as the API reference, with its pages. */
export interface DocsSection {
  title: string;
  /** The path of its first page. */
  href: string;
  /** The navigation beside its pages; empty for a section with one page. */
  groups: readonly DocsGroup[];
}

interface DocsGroup {
  /** Null for pages that stand before all groups. */
  title: string | null;
  pages: readonly DocsPage[];
}

export interface DocsPage {
  title: string;
  href: string;
  entries: readonly DocsEntry[];
}

/** A heading of a page that readers search for. */
export interface DocsEntry {
  /** Short, for the navigation. */
  name: string;
  /** In full, for the search. */
  title: string;
  href: string;
  /** The call that the entry is about. */
  call?: { id: string; method: string; path: string };
}

/** Returns the section that a path is in. */
export function findSection(sections: readonly DocsSection[], pathname: string): DocsSection | undefined {
  return sections.find(({ href }) => pathname === href || pathname.startsWith(`${href}/`));
}
