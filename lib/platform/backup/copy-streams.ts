import { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The part of pg's connection that the copy protocol needs. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
  stream: NodeJS.ReadableStream & NodeJS.WritableStream & { writableNeedDrain: boolean };
}

const rowsOf = (tag: string) => Number(/\d+$/.exec(tag)?.[0] ?? 0);

/** A `COPY … TO STDOUT` as a stream of its bytes. Pass it to `query` of a client. The server pauses with its reader. */
export class CopyOut extends Readable implements pg.Submittable {
  /** Set at the end. */
  rows = 0;
  private connection: CopyConnection | null = null;

  constructor(private readonly text: string) {
    super();
  }

  submit(connection: pg.Connection): void {
    this.connection = connection as unknown as CopyConnection;
    this.connection.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A copy: the driver reads what follows into the same buffer, maybe before this row is taken.
    if (!this.push(Buffer.from(chunk))) this.connection?.stream.pause();
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connection?.stream.resume();
    done(error);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }
}

/** A `COPY … FROM STDIN` as a stream that takes its bytes. Pass it to `query` of a client. Finishes when the rows are stored. */
export class CopyIn extends Writable implements pg.Submittable {
  /** Set at the end. */
  rows = 0;
  private connection: CopyConnection | null = null;
  private start: () => void = () => undefined;
  private readonly started = new Promise<void>((resolve) => {
    this.start = resolve;
  });
  private onDone: (() => void) | null = null;

  constructor(private readonly text: string) {
    super({ highWaterMark: 1024 * 1024 });
  }

  submit(connection: pg.Connection): void {
    this.connection = connection as unknown as CopyConnection;
    this.connection.query(this.text);
  }

  handleCopyInResponse(): void {
    this.start();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    void this.started.then(() => {
      const { connection } = this;
      if (connection === null || this.destroyed) return done();
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) connection.stream.once('drain', done);
      else done();
    });
  }

  override _final(done: () => void): void {
    this.onDone = done;
    void this.started.then(() => this.connection?.endCopyFrom());
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsOf(text);
  }

  handleReadyForQuery(): void {
    this.onDone?.();
  }

  handleError(error: Error): void {
    this.start();
    this.destroy(error);
  }
}
