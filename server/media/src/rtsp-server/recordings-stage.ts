/** For tests: a client of recorded footage. */
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { CAMERA, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { parseReplayTime } from '../source/rtsp/replay-extension.ts'
import { parseRtp } from '../source/rtsp/rtp-packet.ts'
import { connect } from './asking-client-stage.ts'
import type { RtspOptions } from './index.ts'

export const TARGET = 'rtsp://video.example:554/stream/rtsp/open?camera_id=1&ticket=secret'
export const NPT_0 = 'Range: npt=0.000-\r\n'
export const FAST = 'Rate-Control: no\r\n'
export const ONVIF = 'Require: onvif-replay\r\n'
export const GROUP_MS = 2000

/** Twenty seconds, a gap, and four seconds one minute after the beginning, with a key picture every two seconds. */
export async function recordedStore(): Promise<string> {
  const set = await stage({ segmentMs: 10_000 })
  const clips = [footage('main.h264'), footage('tone16.aac')]
  set.show(...playTracks(clips, { seconds: 20, wallClock: TEN_THIRTY }))
  set.lose('silent')
  set.show(...playTracks(clips, { seconds: 4, wallClock: TEN_THIRTY + 60_000 }))
  await set.stop()
  return set.store
}

export const at = (ms: number): string => new Date(TEN_THIRTY + ms).toISOString().replaceAll(/[-:]/g, '')

interface Opened {
  readonly store: string
  readonly fromMs?: number
  readonly tillMs?: number | undefined
  readonly elsewhere?: boolean
  readonly limits?: RtspOptions['limits']
}

/** A client that has set up picture and sound. */
export async function setUp(
  { store, fromMs = 0, tillMs = 64_000, elsewhere = false, limits = {} }: Opened,
  headers = '',
) {
  const ending = new AbortController()
  const client = connect(
    {
      footage: {
        store,
        stream: CAMERA,
        from: TEN_THIRTY + fromMs,
        till: tillMs && TEN_THIRTY + tillMs,
        isElsewhere: async () => elsewhere,
      },
      now: () => TEN_THIRTY + 3_600_000,
      hears: true,
      signal: ending.signal,
      nothing: { status: 404, json: '{"code":4}' },
    },
    limits,
  )
  const described = await client.ask('DESCRIBE', TARGET)
  for (const track of described.status === 200 ? [0, 1] : [])
    await client.ask('SETUP', `rtsp://a/track${track}`, `Transport: RTP/AVP/TCP;unicast\r\n${headers}`)
  return { ...client, described, ending }
}

/** Packets of RTP of a channel, each picture by its last one, until RTCP says that it is over. */
export async function picturesOf({ packet }: Pick<ReturnType<typeof connect>, 'packet'>, byes = 2): Promise<Seen[]> {
  const seen: Seen[] = []
  let time: number | undefined
  for (let left = byes; left > 0; ) {
    const { channel, bytes } = await packet()
    if (channel !== 0) {
      if (isBye(bytes)) left--
      continue
    }
    time = parseReplayTime(bytes)?.time ?? time
    const flags = (bytes[0] ?? 0) & 0x10 ? bytes[24] : undefined
    const rtp = parseRtp(bytes)
    if (rtp === undefined) throw new Error('no RTP')
    const { timestamp, sequence } = rtp
    if (flags !== undefined || seen.at(-1)?.timestamp !== timestamp) seen.push({ timestamp, sequence, time, flags })
  }
  return seen
}

export interface Seen {
  readonly timestamp: number
  readonly sequence: number
  readonly time: number | undefined
  readonly flags: number | undefined
}

/** RTCP of a sender report and a BYE. */
const isBye = (bytes: Uint8Array): boolean => bytes[1] === 200 && bytes[29] === 203

export const header = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1]

export const steps = (seen: readonly Seen[]): number[] =>
  seen.slice(1).map(({ timestamp }, index) => (timestamp - (seen[index]?.timestamp ?? 0)) >>> 0)
