import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { footage } from '../../../../../tests/fixtures/footage.ts'
import { packetizeH264, rtpBytes } from '../../codec/index.ts'
import type { AccessUnit, StreamMessage } from '../../frame/index.ts'
import type { CameraHabits } from '../camera-habits.ts'
import { play, wireBytes } from './testing/play-scripted.ts'
import { type Script, wellBehaved } from './testing/scripted-camera.ts'
import { UdpPorts } from './udp-ports.ts'

const clip = footage('main.h264')
const unitsOf = (messages: readonly StreamMessage[]): readonly AccessUnit[] =>
  messages.flatMap((message) => (message.kind === 'unit' ? [message.unit] : []))

describe.concurrent('a camera that sends over UDP only', () => {
  const packets = clip.frames
    .slice(0, 20)
    .flatMap(({ units }, number) => packetizeH264(units).map((packet) => ({ ...packet, timestamp: number * 3600 })))
  const bytesOf = packets.map((packet, sequence) =>
    rtpBytes({ ...packet, payloadType: 96, sequence, ssrc: 1 }, packet.payload),
  )

  /** Plays it; the camera sends the packets in the order of `order` and returns what it got. */
  async function playUdp(order: (bytes: readonly Uint8Array[]) => readonly Uint8Array[], habits: CameraHabits = {}) {
    const rtp = createSocket('udp4')
    const rtcp = createSocket('udp4')
    const reports: Buffer[] = []
    rtcp.on('message', (bytes) => reports.push(bytes))
    for (const socket of [rtp, rtcp]) {
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
    }
    let port = 0
    const script: Script = (asked) => {
      const transport = asked.headers.get('transport') ?? ''
      if (asked.method === 'SETUP' && transport.includes('TCP')) return { status: '461 Unsupported Transport' }
      if (asked.method === 'SETUP') {
        port = Number(/client_port=(\d+)/.exec(transport)?.[1])
        const ports = `server_port=${rtp.address().port}-${rtcp.address().port}`
        return { headers: { Session: 'abc', Transport: `${transport};${ports};ssrc=00000001` } }
      }
      if (asked.method === 'PLAY')
        setTimeout(() => {
          for (const bytes of order(bytesOf)) rtp.send(bytes, port, '127.0.0.1')
        }, 10)
      return wellBehaved(asked)
    }
    const played = await play(script, { timeouts: { silentMs: 700, reportMs: 200 }, habits })
    rtp.close()
    rtcp.close()
    return { ...played, reports }
  }

  test('is played, gets receiver reports, and is asked for UDP at once the next time', async () => {
    const habits: CameraHabits = {}
    const { messages, counters, reports } = await playUdp((bytes) => bytes, habits)
    expect([unitsOf(messages).length, counters.lostPackets]).toEqual([20, 0])
    expect(reports.some((bytes) => bytes[1] === 201 && bytes.length > 32 && bytes.readUInt32BE(8) === 1)).toBe(true)
    expect(habits).toMatchObject({ usesUdp: true })
    const again = await playUdp((bytes) => bytes, habits)
    expect(again.asked.filter(({ method }) => method === 'SETUP').length).toBe(1)
  })

  test('and takes TCP since its last firmware is played over TCP by the same connection', async () => {
    const habits: CameraHabits = { usesUdp: true }
    const sends: Script = (asked, socket) => {
      const transport = asked.headers.get('transport') ?? ''
      if (asked.method === 'SETUP' && !transport.includes('TCP')) return { status: '400 Bad Request' }
      if (asked.method === 'PLAY') setTimeout(() => socket.write(wireBytes(clip.frames.slice(0, 20))), 10)
      return wellBehaved(asked)
    }
    const { messages, asked } = await play(sends, { habits })
    expect(unitsOf(messages).length).toBe(20)
    expect(asked.filter(({ method }) => method === 'SETUP').length).toBe(2)
    expect(habits.usesUdp).toBe(undefined)
  })

  test('and sends nothing by it is asked for TCP the next time', async () => {
    const habits: CameraHabits = { usesUdp: true }
    const { ended } = await playUdp(() => [], habits)
    expect([ended.kind, habits.usesUdp]).toEqual(['silent', undefined])
  })

  test('has packets that overtook each other put in order', async () => {
    const swapped = (bytes: readonly Uint8Array[]) =>
      bytes.flatMap((_, at) => (at % 4 === 0 ? bytes.slice(at, at + 4).toReversed() : []))
    const { messages, counters } = await playUdp((bytes) => swapped(bytes))
    expect([unitsOf(messages).length, counters.lostPackets]).toEqual([20, 0])
  })

  test('loses pictures up to the next key picture if a packet never comes', async () => {
    const { messages, counters } = await playUdp((bytes) => bytes.filter((_, at) => at !== 12))
    expect(counters.lostPackets).toBe(1)
    expect(unitsOf(messages).length).toBeLessThan(20)
  })
})

test('a connection of UDP ignores packets from any other address', async () => {
  const got: Uint8Array[] = []
  using ports =
    (await UdpPorts.open({ peer: '127.0.0.2', onRtp: (bytes) => got.push(bytes), onRtcp: () => undefined })) ??
    undefined
  const sender = createSocket('udp4')
  sender.bind(0, '127.0.0.1')
  await once(sender, 'listening')
  const packet = rtpBytes({ payloadType: 96, sequence: 1, timestamp: 1, ssrc: 1, marker: true }, Buffer.of(1))
  sender.send(packet, ports?.rtpPort ?? 0, '127.0.0.1')
  await sleep(100)
  sender.close()
  expect(got).toEqual([])
})
