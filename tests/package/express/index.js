// As much of Express as the example of README.md needs: it is no dependency of this repository.
import { createServer } from 'node:http';

export default function express() {
  const handlers = {};
  return {
    post(path, readBody, handler) {
      handlers[path] = async (request, response) => {
        response.sendStatus = (status) => response.writeHead(status).end();
        await readBody(request);
        handler(request, response);
      };
    },
    listen: (port) =>
      createServer((request, response) => (handlers[request.url] ?? unknown)(request, response)).listen(port),
  };
}

const unknown = (_request, response) => response.writeHead(404).end();

express.raw = () => async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  request.body = Buffer.concat(chunks);
};
