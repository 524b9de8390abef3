/** For tests: plays a scripted camera. */

import { packetizeH264, rtpBytes } from '../../../codec/index.ts'
import type { StreamMessage } from '../../../frame/index.ts'
import { checkedConnect } from '../../camera-address.ts'
import { type PlayRtspOptions, playRtsp } from '../play-rtsp.ts'
import { parseRtspAddress } from '../rtsp-address.ts'
import { newCounters } from '../stream-counters.ts'
import { type CameraRequest, type Script, type ScriptedReply, scriptedCamera, wellBehaved } from './scripted-camera.ts'

export const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })

export const frame = (channel: number, packet: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(0x24, channel, packet.length >> 8, packet.length & 0xff), packet])

interface Picture {
  readonly units: readonly Uint8Array[]
}

/** Pictures as bytes on the wire. */
export function wireBytes(frames: readonly Picture[], channel = 0): Buffer {
  let sequence = 0
  return Buffer.concat(
    frames.flatMap(({ units }, number) =>
      packetizeH264(units).map(({ payload, marker }) => {
        const fields = { payloadType: 96, sequence: sequence++, timestamp: number * 3600, ssrc: 1, marker }
        return frame(channel, rtpBytes(fields, payload))
      }),
    ),
  )
}

/** The correct camera with other replies to some methods. */
export const but =
  (changes: Readonly<Record<string, ScriptedReply | ((asked: CameraRequest) => ScriptedReply | undefined)>>): Script =>
  (asked) => {
    const change = changes[asked.method]
    if (change === undefined) return wellBehaved(asked)
    return typeof change === 'function' ? change(asked) : change
  }

/** Until the camera ends it or is silent for 300 ms. */
export async function play(script: Script, options: Partial<PlayRtspOptions> & { path?: string } = {}) {
  await using camera = await scriptedCamera(script, options.path)
  const address = parseRtspAddress(camera.url)
  if (!address.ok) throw new Error(address.failure.detail)
  const stop = new AbortController()
  const messages: StreamMessage[] = []
  const counters = newCounters()
  const ended = await playRtsp({
    address: address.value,
    connect,
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
    counters,
    publish: (message) => messages.push(message),
    timeouts: { replyMs: 300, silentMs: 300, firstPictureMs: 600 },
    ...options,
  })
  return { ended, messages, counters, asked: camera.asked, authority: `rtsp://127.0.0.1:${address.value.port}` }
}
