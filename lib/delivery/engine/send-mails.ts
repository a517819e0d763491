import { LRUCache } from 'lru-cache';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { domainOfSealedMail } from '@/lib/platform/mail/send-mail';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { deleteMail, leaseMails, type MailClass, postponeMail, selectDueMails } from './messages-sql';
import { rescheduleMail } from './outbox/outbox-failures';

/** Sends an encrypted mail until the signal aborts. @throws when the mail server does not accept it */
export type SendMail = (payloadEncrypted: Uint8Array, signal: AbortSignal) => Promise<void>;

/**
 * Mails of each class in flight at most in a process, and slow ones besides: ten hostile recipients or owners keep nobody waiting, since
 * each has one mail of a class in flight. Together they are the 50 connections that Postfix allows a client.
 */
const PLACES: Record<MailClass, { quick: number; slow: number }> = {
  asked: { quick: 3, slow: 12 },
  unproven: { quick: 4, slow: 8 },
  bulk: { quick: 2, slow: 12 },
  tried: { quick: 1, slow: 8 },
};
const CLASSES = Object.keys(PLACES) as MailClass[];
/** A mail under way for longer leaves its place to others: some mail servers ask that of the recipient, which may hang. */
const SLOW_MS = SECOND_MS;
/**
 * A mail under way for longer is ended when others wait and no place of its class is free. It is tried again later, as one of those that
 * have failed. So each turn that hangs for the first time makes the others wait for half a second.
 */
const LONG_MS = 6 * SECOND_MS;
/** The slow mails that a domain may have when half of the slow places of a class are taken: it may have any number of recipients. */
const SLOW_OF_DOMAIN = 2;
/** Shorter than a lease: a mail server that answers a byte at a time never reaches the timeouts of the mail client. */
const TIMEOUT_MS = 2 * MINUTE_MS;
const MAX_SLOW_TURNS = 1_000;

interface MailInFlight {
  class: MailClass;
  turn: string;
  domain: string | null;
  isSlow: boolean;
  isLong: boolean;
  isEnding: boolean;
  done: Promise<void>;
  end(): void;
}

interface DueMail {
  id: string;
  class: MailClass;
  turn: string;
}

/** Sends due mails. A turn, which is an owner, a domain or a recipient, has one mail of each class in flight. */
export class MailSender {
  private readonly inFlight = new Set<MailInFlight>();
  /** Those whose last mail was slow: the next one takes no place of others from its beginning. */
  private readonly slowTurns = new LRUCache<string, true>({ max: MAX_SLOW_TURNS });
  /** The turn that was last, by class. */
  private readonly lastTurns = new Map<MailClass, string>();

  /** @param onRoom is called when a mail has left its place */
  constructor(
    private readonly sendMail: SendMail,
    private readonly onRoom: () => void,
    private readonly slowMs = SLOW_MS,
    private readonly timeoutMs = TIMEOUT_MS,
    private readonly longMs = LONG_MS,
  ) {}

  /** Starts to send a due mail of each class that has room, or a mail that has been under way for long. @returns whether more may be due */
  async sendDue(): Promise<boolean> {
    const classes = CLASSES.filter((each) => this.hasRoom(each) || this.findLong(each) !== undefined);
    if (classes.length === 0) return false;
    const afters = classes.map((each) => this.lastTurns.get(each) ?? LOWEST_ID);
    const busy = [...this.inFlight];
    const due = await selectDueMails.all(database(), {
      classes,
      afters,
      busyClasses: busy.map((each) => each.class),
      busyTurns: busy.map(({ turn }) => turn),
      // At random: a fixed order would be in step with the turns, and always be the same for one of them.
      isNewest: Math.random() < 0.5,
    });
    if (due.length > 0) {
      const leased = await leaseMails.all(database(), { mails: due.map(({ id }) => id) });
      const payloads = new Map(leased.map(({ id, payload_encrypted }) => [id, payload_encrypted]));
      for (const row of due) {
        const payload = payloads.get(row.id);
        if (payload !== undefined) await this.beginOrPostpone(row, payload);
      }
    }
    for (const each of classes) this.lastTurns.set(each, due.find((row) => row.class === each)?.turn ?? LOWEST_ID);
    // A class without a mail after its last turn continues with its first one.
    return due.length > 0 || afters.some((after) => after !== LOWEST_ID);
  }

  /** The number of mails in flight. */
  get underWay(): number {
    return this.inFlight.size;
  }

  /** Resolves when no mail is in flight. */
  async ended(): Promise<void> {
    await Promise.all([...this.inFlight].map(({ done }) => done));
  }

  private hasRoom(mailClass: MailClass): boolean {
    const { quick, slow } = PLACES[mailClass];
    const ofClass = this.ofClass(mailClass);
    const slowOnes = ofClass.filter(({ isSlow }) => isSlow).length;
    return ofClass.length - Math.min(slowOnes, slow) < quick;
  }

  private ofClass(mailClass: MailClass): MailInFlight[] {
    return [...this.inFlight].filter((each) => each.class === mailClass && !each.isEnding);
  }

  /** Finds the mail of a class that has been under way for longest. */
  private findLong(mailClass: MailClass): MailInFlight | undefined {
    return this.ofClass(mailClass).find(({ isLong }) => isLong);
  }

  private async beginOrPostpone(due: DueMail, payload: Uint8Array): Promise<void> {
    const domain = domainOfSealedMail(payload);
    const { slow } = PLACES[due.class];
    const slowOnes = this.ofClass(due.class).filter(({ isSlow }) => isSlow).length;
    const hasRoom = this.hasRoom(due.class) && (slowOnes < slow || !this.slowTurns.has(due.turn));
    const long = hasRoom ? undefined : this.findLong(due.class);
    if ((slowOnes >= slow / 2 && this.isHanging(domain)) || (!hasRoom && long === undefined)) {
      await postponeMail.run(database(), { mail: due.id });
      return;
    }
    long?.end();
    this.begin(due, domain, payload);
  }

  private isHanging(domain: string | null): boolean {
    if (domain === null) return false;
    return [...this.inFlight].filter((each) => each.isSlow && each.domain === domain).length >= SLOW_OF_DOMAIN;
  }

  private begin(due: DueMail, domain: string | null, payload: Uint8Array): void {
    const ending = new AbortController();
    const timeoutTimer = setTimeout(() => ending.abort(), this.timeoutMs);
    const done = this.send(due.id, payload, ending.signal).catch((error: unknown) =>
      log().warn({ err: error, outboxId: due.id }, 'result of an email could not be recorded; it is sent again'),
    );
    const entry: MailInFlight = {
      class: due.class,
      turn: due.turn,
      domain,
      isSlow: this.slowTurns.has(due.turn),
      isLong: false,
      isEnding: false,
      done,
      end: () => {
        entry.isEnding = true;
        ending.abort();
      },
    };
    this.inFlight.add(entry);
    const longTimer = setTimeout(() => {
      entry.isLong = true;
      this.onRoom();
    }, this.longMs);
    let isQuick = true;
    const slowTimer = setTimeout(() => {
      isQuick = false;
      entry.isSlow = true;
      this.slowTurns.set(due.turn, true);
      this.onRoom();
    }, this.slowMs);
    void done.finally(() => {
      clearTimeout(slowTimer);
      clearTimeout(longTimer);
      clearTimeout(timeoutTimer);
      if (isQuick) this.slowTurns.delete(due.turn);
      this.inFlight.delete(entry);
      this.onRoom();
    });
  }

  private async send(id: string, payload: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await this.sendMail(payload, signal);
    } catch (error) {
      log().warn({ err: error, outboxId: id }, 'email could not be sent; trying again later');
      await rescheduleMail(database(), id, error);
      return;
    }
    await deleteMail.run(database(), { mail: id });
  }
}
