// A small service on loopback, which prints its port and answers every request with answers.mjs.
import { createServer } from 'node:http';
import { answers } from './answers.mjs';

const server = createServer(async (_, response) => {
  try {
    response.end(JSON.stringify(await answers('service.asof')));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error.stack));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
