import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { descend, parseXml, readText, type XmlNode } from './xml.ts'

/** A device that answers as in a file of `dialogues/`: each request by path and operation, and everything else in one way. */
export interface DialogueServer extends AsyncDisposable {
  readonly port: number
  /** A second port with the same answers. */
  readonly otherPort: number
  /** What was asked, in order: `/onvif/device_service GetServices`. */
  readonly asked: readonly string[]
}

interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export async function openDialogue(name: string): Promise<DialogueServer> {
  const text = await readFile(new URL(`./dialogues/${name}.txt`, import.meta.url), 'utf8')
  const replies = parseDialogue(text)
  const asked: string[] = []
  const servers = [createServer(), createServer()] as const
  for (const server of servers) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const [port, otherPort] = servers.map(portOf)
  const fill = (body: string) =>
    body.replaceAll('{host}', '127.0.0.1').replaceAll('{port}', String(port)).replaceAll('{port2}', String(otherPort))
  for (const server of servers)
    server.on('request', async (request: IncomingMessage, response) => {
      const { operation, argument } = readRequest(await bodyOf(request))
      const key = `${request.url} ${operation}`
      asked.push(key)
      const reply = replies.get(`${key} ${argument}`) ?? replies.get(key) ?? replies.get('* *')
      response.writeHead(reply?.status ?? 404, { 'content-type': reply?.contentType ?? 'text/plain' })
      response.end(fill(reply?.body ?? ''))
    })
  return {
    port: port ?? 0,
    otherPort: otherPort ?? 0,
    asked,
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Sections of `> path operation`, `< status content-type`, and the body. */
function parseDialogue(text: string): ReadonlyMap<string, Reply> {
  const sections = text.split(/^> /m).slice(1)
  return new Map(
    sections.map((section) => {
      const [request = '', head = '', ...body] = section.split('\n')
      const [, status = '', contentType = ''] = /^< (\d+) (.*)$/.exec(head) ?? []
      return [request, { status: Number(status), contentType, body: body.join('\n').trimEnd() }]
    }),
  )
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The operation, and what it is about: the profile or the category. */
function readRequest(text: string): { readonly operation: string; readonly argument: string } {
  const body = descend(parseXml(text), 'Envelope', 'Body')
  const [operation = ''] = namesOf(body)
  const element = descend(body, operation)
  return { operation, argument: readText(element, 'ProfileToken') ?? readText(element, 'Category') ?? '' }
}

const namesOf = (node: XmlNode | undefined): readonly string[] =>
  typeof node === 'object' && !Array.isArray(node) ? Object.keys(node).filter((name) => !name.startsWith('@')) : []
