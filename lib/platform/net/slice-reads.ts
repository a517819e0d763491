import type { Duplex } from 'node:stream';

/**
 * Passes what a socket reads to its listeners in slices, so that one of them may pause or destroy the socket before the next slice. A
 * read has 64 KiB, which may be thousands of requests, chunks or frames. Slices are copies: a view of some bytes would keep the entire read
 * in memory.
 *
 * @param mayRead called with the size of each slice before it, and may pause the socket; when it returns false, what still arrives is dropped
 * @returns a function that ends it
 */
export function sliceReads(socket: Duplex, sliceBytes: number, mayRead: (bytes: number) => boolean): () => void {
  const push = socket.push.bind(socket);
  socket.push = (data: Buffer | null) => {
    if (data === null) return push(data);
    let wantsMore = true;
    for (let at = 0; at < data.length; at += sliceBytes) {
      const slice = data.length <= sliceBytes ? data : Buffer.from(data.subarray(at, at + sliceBytes));
      // The socket is not read on.
      if (!mayRead(slice.length)) return false;
      wantsMore = push(slice);
    }
    return wantsMore;
  };
  // Uncovers the method of the class.
  return () => Reflect.deleteProperty(socket, 'push');
}
