// Watches streams and only counts what comes; answers each message of its parent with one.
import WebSocket from 'ws'

const OPENING = 20
const sockets = []
let pictures = 0
let bytes = 0
let lost = 0
/** Streams that the server ended, by code. */
const ends = {}

function open(url) {
  const { promise, resolve } = Promise.withResolvers()
  const socket = new WebSocket(url)
  socket.on('message', (data, isBinary) => {
    // A message with bytes is a picture.
    if (!isBinary) {
      const message = JSON.parse(String(data))
      if (message.type === 'end') ends[message.code] = (ends[message.code] ?? 0) + 1
      return
    }
    pictures += 1
    bytes += data.length
    resolve()
  })
  socket.on('close', () => {
    lost += 1
    resolve()
  })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return promise
}

process.on('message', async ({ urls }) => {
  for (let at = 0; at < urls.length; at += OPENING) await Promise.all(urls.slice(at, at + OPENING).map(open))
  process.send({ pictures, bytes, open: sockets.length - lost, ends })
})
