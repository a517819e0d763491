import { LRUCache } from 'lru-cache';
import { LOWEST_ID } from '@/lib/delivery/pending';
import { projectOfTurn, turnIdOf } from '@/lib/events/turn-key';
import type { Sql } from '@/lib/platform/db';

/** Projects and owners of which a search could not look at everything. One that is forgotten begins again. */
const MAX_CUT = 10_000;

/** The statement of a search: of each project it looks at as many rows as its limit, after the given one. */
interface SearchStatement {
  one(
    sql: Sql,
    params: { projects: string[]; after: string[]; limits: number[]; since: string },
  ): Promise<{
    /** Comma-separated texts `project:id`, or keys of turns. */
    due: string | null;
    /** The last row of each project that may have more: comma-separated texts `project:id`. */
    cut: string | null;
  }>;
}

interface Found {
  /** Texts `project:id`, or keys of turns. */
  due: string[];
  /** Whether one of their projects may have more of them. */
  isMore: boolean;
  /** Whether it could not look at everything. */
  isCut: boolean;
}

/**
 * Finds what is due in projects that a poll has found. Owners share a search evenly, and so do the projects of an owner; the next search
 * continues where it ended. So customers and targets of one owner do not hide what others have.
 */
export class OwnerSearch {
  /** The last row that was looked at, by project. */
  private readonly lastRow = new LRUCache<string, string>({ max: MAX_CUT });
  /** The last project that was looked at, by owner. */
  private readonly lastProject = new LRUCache<string, string>({ max: MAX_CUT });

  /**
   * @param most how many rows one search looks at, about
   * @param ownerOf returns the owner of a project, as far as it is known
   */
  constructor(
    private readonly statement: SearchStatement,
    private readonly most: number,
    private readonly ownerOf: (projectId: string) => string,
  ) {}

  /**
   * @param projects those that may have something due, by id
   * @param since nothing is due before it
   */
  async find(sql: Sql, projects: readonly string[], since: string): Promise<Found> {
    if (projects.length === 0) return { due: [], isMore: false, isCut: false };
    const chosen = this.choose(projects);
    const row = await this.statement.one(sql, {
      projects: [...chosen.keys()],
      after: [...chosen.keys()].map((projectId) => this.lastRow.get(projectId) ?? LOWEST_ID),
      limits: [...chosen.values()],
      since,
    });
    for (const projectId of chosen.keys()) this.lastRow.delete(projectId);
    const cut = row.cut?.split(',') ?? [];
    for (const key of cut) this.lastRow.set(projectOfTurn(key), turnIdOf(key));
    const due = row.due?.split(',') ?? [];
    return {
      due,
      isMore: due.some((key) => this.lastRow.has(projectOfTurn(key))),
      isCut: cut.length > 0 || chosen.size < projects.length,
    };
  }

  /** @returns how many rows to look at, by project */
  private choose(projects: readonly string[]): Map<string, number> {
    const byOwner = new Map<string, string[]>();
    for (const projectId of projects) {
      const ownerId = this.ownerOf(projectId);
      const own = byOwner.get(ownerId);
      if (own === undefined) byOwner.set(ownerId, [projectId]);
      else own.push(projectId);
    }
    const chosen = new Map<string, number>();
    const share = Math.max(1, Math.floor(this.most / byOwner.size));
    for (const [ownerId, own] of byOwner) {
      const last = this.lastProject.get(ownerId) ?? '';
      const from = Math.max(
        0,
        own.findIndex((projectId) => projectId > last),
      );
      const inTurn = [...own.slice(from), ...own.slice(0, from)].slice(0, share);
      this.lastProject.set(ownerId, inTurn.at(-1) ?? '');
      for (const projectId of inTurn) chosen.set(projectId, Math.floor(share / inTurn.length));
    }
    return chosen;
  }
}
