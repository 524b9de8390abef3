// The baseline of the API bench: node:http alone, which answers each path with the same bytes.
import { createServer } from 'node:http'

process.once('message', (answers) => {
  const server = createServer((req, res) => {
    const { status, headers, body } = answers[`${req.method} ${req.url}`]
    // Reads the request body to its end, as any server must.
    req.resume().once('end', () => res.writeHead(status, headers).end(body))
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
})
