import type { Message } from '@/lib/delivery/engine/types';
import type { Holding } from './share-policy';

interface Held {
  message: Message;
  projectId: string;
  holders: number;
}

/** The messages of a worker's jobs, each once however many deliveries it has, and how many bytes they are. */
export class MessageCache {
  private readonly held = new Map<string, Held>();
  private readonly bytesByProject = new Map<string, number>();
  private bytes = 0;

  /** Bytes in all, and of one project. */
  holding(projectId: string): Holding {
    return { total: this.bytes, own: this.bytesByProject.get(projectId) ?? 0 };
  }

  find(id: string): Message | undefined {
    return this.held.get(id)?.message;
  }

  /** Counts a holder in. */
  hold(projectId: string, message: Message): void {
    const present = this.held.get(message.id);
    if (present !== undefined) {
      present.holders += 1;
      return;
    }
    this.held.set(message.id, { message, projectId, holders: 1 });
    this.add(projectId, message.body.length);
  }

  /** Counts a holder out; the last one frees the bytes. */
  drop(id: string): void {
    const present = this.held.get(id);
    if (present === undefined) return;
    present.holders -= 1;
    if (present.holders > 0) return;
    this.held.delete(id);
    this.add(present.projectId, -present.message.body.length);
  }

  private add(projectId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesByProject.get(projectId) ?? 0) + bytes;
    if (own > 0) this.bytesByProject.set(projectId, own);
    else this.bytesByProject.delete(projectId);
  }
}
