// The floor of the viewers bench: sends as many bytes as a camera's picture to every client, 25 times a second.
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
await new Promise((done) => server.once('listening', done))
process.on('message', ({ bytes, framesPerSecond }) => {
  const picture = Buffer.alloc(bytes, 7)
  setInterval(() => {
    for (const client of server.clients) client.send(picture)
  }, 1000 / framesPerSecond)
  process.send({ port: server.address().port })
})
