import type { Message } from '@/lib/delivery/engine/types';
import type { Usage } from './share-policy';

interface Entry {
  message: Message;
  projectId: string;
  references: number;
}

/** The messages of a worker's jobs, each once however many deliveries it has, and how many bytes they are. */
export class MessageCache {
  private readonly entries = new Map<string, Entry>();
  private readonly bytesByProject = new Map<string, number>();
  private bytes = 0;

  /** Bytes in all, and of one project. */
  usageOf(projectId: string): Usage {
    return { total: this.bytes, own: this.bytesByProject.get(projectId) ?? 0 };
  }

  find(id: string): Message | undefined {
    return this.entries.get(id)?.message;
  }

  /** Counts a holder in. */
  retain(projectId: string, message: Message): void {
    const present = this.entries.get(message.id);
    if (present !== undefined) {
      present.references += 1;
      return;
    }
    this.entries.set(message.id, { message, projectId, references: 1 });
    this.add(projectId, message.body.length);
  }

  /** Counts a holder out; the last one frees the bytes. */
  drop(id: string): void {
    const present = this.entries.get(id);
    if (present === undefined) return;
    present.references -= 1;
    if (present.references > 0) return;
    this.entries.delete(id);
    this.add(present.projectId, -present.message.body.length);
  }

  private add(projectId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesByProject.get(projectId) ?? 0) + bytes;
    if (own > 0) this.bytesByProject.set(projectId, own);
    else this.bytesByProject.delete(projectId);
  }
}
