interface Received {
  // As in the types of Express.
  // biome-ignore lint/suspicious/noExplicitAny: the body is what the middleware makes of it.
  body: any;
  headers: Record<string, string | string[] | undefined>;
}
interface Sent {
  sendStatus(status: number): void;
}
interface Middleware {
  isMiddleware: true;
}

declare function express(): {
  post(path: string, middleware: Middleware, handler: (request: Received, response: Sent) => void): void;
  listen(port: number): void;
};
declare namespace express {
  function raw(options: { type: string }): Middleware;
}
export default express;
