import type { Message } from '@/lib/delivery/engine/types';
import type { Usage } from './share-policy';

interface Entry {
  message: Message;
  projectId: string;
  references: number;
}

/** The messages of a worker's jobs with their total size. Deliveries of the same event share a message. */
export class MessageCache {
  private readonly entries = new Map<string, Entry>();
  private readonly bytesByProject = new Map<string, number>();
  private bytes = 0;

  /** Counts the bytes of all messages, and of one project's. */
  usageOf(projectId: string): Usage {
    return { total: this.bytes, own: this.bytesByProject.get(projectId) ?? 0 };
  }

  find(id: string): Message | undefined {
    return this.entries.get(id)?.message;
  }

  /** Adds a reference to a message. */
  retain(projectId: string, message: Message): void {
    const present = this.entries.get(message.id);
    if (present !== undefined) {
      present.references += 1;
      return;
    }
    this.entries.set(message.id, { message, projectId, references: 1 });
    this.add(projectId, message.bytes);
  }

  /** Removes a reference. The last one removes the message. */
  drop(id: string): void {
    const present = this.entries.get(id);
    if (present === undefined) return;
    present.references -= 1;
    if (present.references > 0) return;
    this.entries.delete(id);
    this.add(present.projectId, -present.message.bytes);
  }

  private add(projectId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesByProject.get(projectId) ?? 0) + bytes;
    if (own > 0) this.bytesByProject.set(projectId, own);
    else this.bytesByProject.delete(projectId);
  }
}
