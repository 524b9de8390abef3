import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { LONGEST_TALK_S, sendCameraAudio } from '@sightline/contract/camera-audio'
import type { ApiError } from '@sightline/contract/errors'
import type { MediaPlane, TalkAnswer, TalkCoding } from '@sightline/contract/media-plane'
import { MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { findCameraInScope, lockCamera } from '../cameras/index.ts'
import { audioSettingCalls } from './settings.ts'
import { loadSound } from './store.ts'

const failures: Readonly<Record<Exclude<TalkAnswer['kind'], 'open'>, ApiError>> = {
  ended: { error: 'deviceInternal', detail: 'the camera ended the connection' },
  busy: { error: 'businessRule', detail: 'someone else is talking through this camera: try again when they are done' },
  noDecoder: {
    error: 'capabilityNotSupported',
    detail:
      'AAC takes a decoder (ffmpeg) on the server, which has none: send G.711 (audio/basic, audio/PCMU or audio/PCMA)',
  },
  notSound: { error: 'validation', detail: 'the body is not AAC in ADTS frames, or cannot be decoded' },
  overloaded: { error: 'overloaded' },
  noLoudspeaker: {
    error: 'capabilityNotSupported',
    detail:
      'the camera offers no loudspeaker for G.711, or for AAC-LC where the server has an encoder (ONVIF back channel)',
  },
  credentialsIncorrect: {
    error: 'deviceCredentialsIncorrect',
    detail: 'the camera refused its user name and password for the loudspeaker',
  },
  rejected: { error: 'deviceInternal', detail: "the camera couldn't open its loudspeaker" },
  cameraOffline: { error: 'cameraOffline', detail: "the camera doesn't respond, or is private" },
  timedOut: { error: 'timedOut', detail: "the camera didn't open its loudspeaker in time" },
}

/** How often it is checked that the caller may still talk: revoked access ends within two seconds. */
const CHECK_MS = 1000
/** Half a second of G.711, or of AAC at 64 kbit/s. */
const PIECE_BYTES = 4000

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'talk' | 'camerasChanged'>
  readonly now: () => number
}

const speakerOff: ApiError = {
  error: 'businessRule',
  detail: 'the loudspeaker of this camera is turned off in its settings',
}

/** Sound from a caller for a camera's loudspeaker. The audit log says so before the first sound is heard. */
export const cameraAudio = (deps: Deps) => [...audioSettingCalls(deps), talking(deps)]

const talking = ({ db, media }: Deps) =>
  serveChange(sendCameraAudio, async (change, request) => {
    const { cameraId } = request.params
    const { caller } = change
    const camera = await findCameraInScope(db, caller, cameraId)
    if (!camera.ok) return camera
    const speaks = (of: MemberCaller) => db.inTenant(of, (tx) => loadSound(tx, { accountId: of.accountId, cameraId }))
    if (!(await speaks(caller)).speaker) return fail(speakerOff)
    const talk = { cameraId, talkId: randomUUID() }
    const coding = toCoding(request.header('content-type'))
    const opened = await media.talk({ ...talk, step: 'open', coding })
    if (opened.kind !== 'open') return fail(failures[opened.kind])
    try {
      const noted = await change.tx(caller, async (tx) => {
        if ((await lockCamera(tx, caller, cameraId)) === undefined) return fail({ error: 'notFound' } as const)
        await change.audit({ target: { kind: 'camera', id: cameraId }, action: 'sendCameraAudio' })
        return ok(undefined)
      })
      if (!noted.ok) return noted
      const mayStill = async () => {
        const now = await request.confirmCaller()
        if (now?.kind !== 'member' || !(await findCameraInScope(db, now, cameraId)).ok) return false
        return (await speaks(now)).speaker
      }
      const hear = (sound: Uint8Array) => media.talk({ ...talk, step: 'sound', sound })
      return await speak(request.bodyStream, hear, mayStill)
    } finally {
      await media.talk({ ...talk, step: 'close' })
    }
  })

function toCoding(contentType = ''): TalkCoding {
  if (/^audio\/aac\b/i.test(contentType)) return 'AAC'
  return /^audio\/pcma\b/i.test(contentType) ? 'PCMA' : 'PCMU'
}

const revoked: ApiError = { error: 'notAuthorized', detail: 'you may no longer talk through this camera' }

/** Passes the sound on as fast as the camera takes it, until it ends, its time is over, or the caller may talk no longer. */
async function speak(
  body: Readable,
  hear: (sound: Uint8Array) => Promise<TalkAnswer>,
  mayStill: () => Promise<boolean>,
) {
  const stopping = new AbortController()
  const checking = setInterval(() => {
    mayStill().then(
      (may) => may || stopping.abort(revoked),
      () => stopping.abort({ error: 'overloaded' } satisfies ApiError),
    )
  }, CHECK_MS)
  const late = setTimeout(() => stopping.abort(), LONGEST_TALK_S * MS_PER_SECOND)
  const stopped = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  // A client that disconnects has said what it had to say.
  const chunks = body.iterator({ destroyOnReturn: false })
  const nextChunk = () =>
    Promise.race([
      stopped,
      chunks.next().then(
        (read) => (read.done === true ? undefined : read.value),
        () => undefined,
      ),
    ])
  try {
    for (let chunk = await nextChunk(); chunk !== undefined; chunk = await nextChunk()) {
      for (let at = 0; at < chunk.length && !stopping.signal.aborted; at += PIECE_BYTES) {
        const { kind } = await hear(chunk.subarray(at, at + PIECE_BYTES))
        if (kind !== 'open') return fail(failures[kind])
      }
    }
    const { reason } = stopping.signal
    return isApiError(reason) ? fail(reason) : ok(undefined)
  } finally {
    clearInterval(checking)
    clearTimeout(late)
  }
}

const isApiError = (reason: unknown): reason is ApiError =>
  typeof reason === 'object' && reason !== null && 'error' in reason
