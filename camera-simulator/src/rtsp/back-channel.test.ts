import { expect, test } from 'vitest'
import type { SimulatedCamera } from '../camera.ts'
import { type Simulator, startCameras } from '../simulator.ts'
import { testCamera } from '../testing/clips.ts'
import { RtspTestClient } from '../testing/viewer.ts'

const require = { Require: 'www.onvif.org/ver20/backchannel' }

async function start(backChannel: 'none' | 'refused' | 'PCMU' | 'PCMA') {
  const simulator: Simulator = await startCameras({ cameras: [{ ...testCamera, backChannel }] })
  const [camera] = simulator.cameras
  if (camera === undefined) throw new Error('no camera')
  const client = await RtspTestClient.connect(camera.address.rtspPort)
  const uri = camera.rtspAddress('main')
  const described = await client.signIn(uri, testCamera)
  return {
    camera,
    client,
    uri,
    described,
    ask: (method: string, to: string, headers = {}) => client.ask(method, to, headers, testCamera),
    async [Symbol.asyncDispose]() {
      client.close()
      await simulator.stop()
    },
  }
}

function rtp(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.from([0x80, sequence === 1 ? 0x80 : 0, 0, sequence, 0, 0, 0, 0, 1, 2, 3, 4])
  header.writeUInt32BE((sequence - 1) * 160, 4)
  return Buffer.concat([header, payload])
}

const heardOf = (camera: SimulatedCamera) => Buffer.concat(camera.loudspeaker.heard.map(({ payload }) => payload))

test('a camera offers its back channel only to a client that requires it', async () => {
  await using parts = await start('PCMU')
  expect(parts.described.body).not.toContain('sendonly')
  const reply = await parts.ask('DESCRIBE', parts.uri, require)
  expect(reply.body).toMatch(/m=audio 0 RTP\/AVP 0\r\na=rtpmap:0 PCMU\/8000\r\na=control:track3\r\na=sendonly\r\n$/)
})

test('a camera that has heard sound by the back channel has every sample of it, from PLAY on', async () => {
  await using parts = await start('PCMA')
  const { camera, client, uri, ask } = parts
  const setUp = await ask('SETUP', `${uri}/track3`, { ...require, Transport: 'RTP/AVP/TCP;unicast;interleaved=4-5' })
  expect(setUp.status).toBe(200)
  client.sendPacket(4, rtp(9, Buffer.alloc(160, 7)))
  expect((await ask('PLAY', uri, require)).status).toBe(200)
  const tone = Buffer.from(Array.from({ length: 480 }, (_, index) => index & 0xff))
  for (let packet = 0; packet < 3; packet++)
    client.sendPacket(4, rtp(packet + 1, tone.subarray(packet * 160, packet * 160 + 160)))
  client.sendPacket(5, Buffer.from([0x80, 200, 0, 6, ...Buffer.alloc(24)]))
  await client.until(() => camera.loudspeaker.reports.length > 0, 'the report')
  expect(heardOf(camera)).toEqual(tone)
  expect(camera.loudspeaker.heard.map(({ marker }) => marker)).toEqual([true, false, false])
  expect(camera.loudspeaker.heard.map(({ timestamp }) => timestamp)).toEqual([0, 160, 320])
})

test('a camera may answer 551 to a client that requires a back channel, and plays for others', async () => {
  await using parts = await start('refused')
  expect((await parts.ask('DESCRIBE', parts.uri, require)).status).toBe(551)
  expect(parts.described.status).toBe(200)
})

test('a camera without a back channel ignores that it is required, and has no such track', async () => {
  await using parts = await start('none')
  const reply = await parts.ask('DESCRIBE', parts.uri, require)
  expect([reply.status, reply.body.includes('sendonly')]).toEqual([200, false])
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=4-5' }
  expect((await parts.ask('SETUP', `${parts.uri}/track3`, transport)).status).toBe(404)
})
