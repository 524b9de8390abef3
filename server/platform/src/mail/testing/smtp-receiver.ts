import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header and body as received, with dots unstuffed and lines ended by `\n`. */
  readonly raw: string
}

export interface SmtpReceiver extends AsyncDisposable {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Every line that a client sent outside of an email. */
  readonly said: readonly string[]
  /** The reply to that command from now on, instead of 250 or 354; `hold` sends none. */
  answer(command: 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'MESSAGE', reply: string | 'hold' | undefined): void
}

/** A small SMTP server (RFC 5321) that stores what it gets; without TLS. `port` 0 uses any free one. */
export async function startSmtpReceiver(port = 0): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = []
  const said: string[] = []
  const replies = new Map<string, string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    void converse(socket, { mails, said, replies })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    said,
    answer(command, reply) {
      if (reply === undefined) replies.delete(command)
      else replies.set(command, reply)
    },
    [Symbol.asyncDispose]: () => stop(server, sockets),
  }
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
}

interface Books {
  readonly mails: ReceivedMail[]
  readonly said: string[]
  readonly replies: ReadonlyMap<string, string>
}

/** What one client is saying. */
interface Conversation {
  from: string
  to: string[]
  /** Lines of the email that is coming in. */
  body: string[] | undefined
}

async function converse(socket: Socket, books: Books): Promise<void> {
  const write = (line: string): void => {
    if (socket.writable) socket.write(`${line}\r\n`)
  }
  const talk: Conversation = { from: '', to: [], body: undefined }
  write('220 receiver.test ESMTP')
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    const reply = talk.body === undefined ? replyTo(line, talk, books) : take(line, talk, books)
    if (reply !== undefined && reply !== 'hold') write(reply)
    if (reply?.startsWith('221')) socket.end()
  }
}

/** A line of an email; the last one gets a reply. */
function take(line: string, talk: Conversation, { mails, replies }: Books): string | undefined {
  if (line !== '.') {
    talk.body?.push(line.replace(/^\./, ''))
    return undefined
  }
  mails.push({ from: talk.from, to: talk.to, raw: `${talk.body?.join('\n')}\n` })
  talk.body = undefined
  talk.to = []
  return replies.get('MESSAGE') ?? '250 2.0.0 queued'
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

const PLAIN_REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250-receiver.test\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 welcome',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  QUIT: '221 2.0.0 bye',
}

function replyTo(line: string, talk: Conversation, { said, replies }: Books): string {
  said.push(line)
  const [verb = ''] = line.toUpperCase().split(' ')
  const reply = replies.get(verb) ?? PLAIN_REPLIES[verb] ?? '250 2.0.0 ok'
  if (verb === 'MAIL') talk.from = addressIn(line)
  if (verb === 'RCPT' && reply.startsWith('250')) talk.to.push(addressIn(line))
  if (verb === 'DATA' && reply.startsWith('354')) talk.body = []
  return reply
}
