/** For tests: a client in the same process. */
import { duplexPair } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type OpenedStream, type RtspError, type RtspOptions, serveRtsp } from './index.ts'

export interface Packet {
  readonly channel: number
  readonly bytes: Uint8Array
}

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A client beside a server whose stream is `opened`. */
export function connect(opened: OpenedStream | RtspError, limits: RtspOptions['limits'] = {}) {
  const [client, server] = duplexPair()
  const served = serveRtsp(server, new Uint8Array(0), { open: async () => opened, limits })
  let held: Buffer = Buffer.alloc(0)
  let isClosed = false
  let wake: () => void = () => undefined
  const packets: Packet[] = []
  const answers: Answer[] = []
  const takePacket = () => {
    const end = held.length < 4 ? Number.POSITIVE_INFINITY : 4 + held.readUInt16BE(2)
    if (held.length < end) return false
    packets.push({ channel: held[1] ?? 0, bytes: Uint8Array.from(held.subarray(4, end)) })
    held = held.subarray(end)
    return true
  }
  const takeAnswer = () => {
    const end = held.indexOf('\r\n\r\n')
    if (end === -1) return false
    const head = held.toString('latin1', 0, end)
    const till = end + 4 + Number(/Content-Length: (\d+)/.exec(head)?.[1])
    if (held.length < till) return false
    answers.push({ status: Number(head.split(' ')[1]), head, body: held.toString('utf8', end + 4, till) })
    held = held.subarray(till)
    return true
  }
  client.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (let isTaken = true; isTaken && held.length > 0; ) isTaken = held[0] === 0x24 ? takePacket() : takeAnswer()
    wake()
  })
  for (const event of ['end', 'close'])
    client.on(event, () => {
      isClosed = true
      wake()
    })
  onTestFinished(() => void client.destroy())
  const until = async <T>(take: () => T | undefined): Promise<T> => {
    for (let taken = take(); ; taken = take()) {
      if (taken !== undefined) return taken
      if (isClosed) throw new Error('closed')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  let cseq = 0
  return {
    served,
    client,
    server,
    /** Those that have arrived and weren't taken. */
    packets,
    async ask(method: string, url: string, headers = ''): Promise<Answer> {
      client.write(`${method} ${url} RTSP/1.0\r\nCSeq: ${++cseq}\r\n${headers}\r\n`)
      return await until(() => answers.shift())
    },
    packet: (): Promise<Packet> => until(() => packets.shift()),
  }
}
