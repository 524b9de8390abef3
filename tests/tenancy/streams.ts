import type { Db } from '@sightline/platform/db'
import { consumeTicket, loadCameraScopes, loadSessions } from '../../server/media/src/control/store.ts'
import { type StreamSessions, streamSessions } from '../../server/media/src/control/stream-sessions.ts'
import { type CallPolicy, getVerdict } from './oracle.ts'
import { maySee, type Who } from './principals.ts'
import { type StreamDesk, streamPaths } from './stream-paths.ts'
import { listObjects } from './targets.ts'
import type { TenancyFinding } from './trial.ts'
import type { World } from './world.ts'

/** Opening a stream is not an API call: api.md §12, product.md "Support sessions". */
const streamPolicies = {
  live: [{ callers: 'members', right: 'LiveCamera', support: 'video' }],
  /** With what is in {@link furtherPolicies}. */
  talk: [{ callers: 'members', right: 'LiveCamera', support: 'video' }],
  'saved summary': [{ callers: 'members', right: 'playback', support: 'video' }],
  playback: [{ callers: 'members', right: 'playback', support: 'video' }],
  file: [
    { callers: 'members', right: 'playback', support: 'no' },
    { callers: 'members', right: 'export', support: 'no' },
  ],
  snapshot: [{ callers: 'members', right: 'CameraView', support: 'video' }],
  'snapshot of footage': [
    { callers: 'members', right: 'CameraView', support: 'video' },
    { callers: 'members', right: 'playback', support: 'video' },
  ],
} satisfies Readonly<Record<string, readonly CallPolicy[]>>
export type Use = keyof typeof streamPolicies
/** What is asked of those who are admitted, so after the camera was found: security.md §6.6, §6.9. */
const furtherPolicies: Readonly<
  Partial<Record<Use, { readonly method: 'GET' | 'POST'; readonly policy: CallPolicy }>>
> = {
  talk: { method: 'POST', policy: { callers: 'members', right: 'microphone', support: 'no', apiKey: 'no' } },
  'saved summary': { method: 'GET', policy: { callers: 'members', right: 'export', support: 'no' } },
}

const uses = (Object.keys(streamPolicies) as readonly Use[]).filter((use) => !(use in furtherPolicies))

/** The media plane's own decisions, under its own role. */
export const openStreams = (media: Db): StreamSessions =>
  streamSessions({
    queries: {
      consumeTicket: (sha256, now) => consumeTicket(media, sha256, now),
      loadSessions: (sha256s) => loadSessions(media, sha256s),
      loadPlaces: (cameraIds) => loadCameraScopes(media, cameraIds),
    },
    now: Date.now,
    limits: { perPerson: undefined, perAccount: undefined },
    agreementVersion: async () => '1',
    // Practically never; tests confirm explicitly.
    confirmEveryMs: 3_600_000,
  })

export const streamInput = (who: Who, cameraId: number, use: Use) => ({
  cameraId,
  from: use === 'live' || use === 'snapshot' ? undefined : Date.now() - 1000,
  ...(use === 'file' && { file: { till: Date.now() } }),
  ...(use.startsWith('snapshot') && { snapshot: true as const }),
  credential: { accessToken: who.token ?? '' },
  address: '192.0.2.1',
})

const GONE = 4
const NOT_AUTHORIZED = 9

/** Every caller opens every camera of the world in every way; HLS and pictures open as live video and playback. */
export async function tryStreams(
  streams: StreamSessions,
  world: World,
  everybody: readonly Who[],
): Promise<{ tried: number; findings: TenancyFinding[] }> {
  const cameras = [...listObjects(world, 'camera'), { id: world.nowhere, kind: 'camera' } as const]
  const attempts = everybody.flatMap((who) => cameras.flatMap((camera) => uses.map((use) => ({ who, camera, use }))))
  const findings: TenancyFinding[] = []
  for (const { who, camera, use } of attempts) {
    const isReached = camera.id !== world.nowhere && maySee(who, camera)
    const expected = String(expectedCode(who, use, isReached))
    const got = await openedBy(streams, who, { cameraId: camera.id, use })
    if (got !== expected) findings.push({ operation: use, who: who.name, target: `camera ${camera.id}`, expected, got })
  }
  return { tried: attempts.length, findings }
}

/** Every caller, at every address over HTTP: with a camera within reach, one out of reach, and one that doesn't exist. */
export async function tryStreamPaths(
  desk: StreamDesk,
  world: World,
  everybody: readonly Who[],
): Promise<{ tried: number; findings: TenancyFinding[] }> {
  const cameras = listObjects(world, 'camera')
  const findings: TenancyFinding[] = []
  let tried = 0
  for (const who of everybody) {
    const reached = cameras.find((camera) => maySee(who, camera))
    const others = cameras.find((camera) => !maySee(who, camera))
    const targets = [reached?.id, others?.id, world.nowhere].filter((id) => id !== undefined)
    for (const cameraId of targets)
      for (const { path, use } of streamPaths(Date.now())) {
        tried++
        const expected = String(expectedCode(who, use, cameraId === reached?.id))
        const got = String(await desk.ask(who, cameraId, path))
        const operation = `${path} (${use})`
        if (got !== expected) findings.push({ operation, who: who.name, target: `camera ${cameraId}`, expected, got })
      }
  }
  return { tried, findings }
}

async function openedBy(
  streams: StreamSessions,
  who: Who,
  { cameraId, use }: { readonly cameraId: number; readonly use: Use },
): Promise<string> {
  const opened = await streams.open(streamInput(who, cameraId, use))
  if (!opened.ok) return String(opened.code)
  opened.session.close()
  return 'open'
}

/** A caller without a suitable token, or without the right, is not authorized; for any other, a camera out of scope does not exist. */
function expectedCode(who: Who, use: Use, isReached: boolean): 'open' | number {
  if (who.dead || who.isElsewhere === true || who.is.kind !== 'member') return NOT_AUTHORIZED
  const policies: readonly CallPolicy[] = streamPolicies[use]
  if (policies.some((policy) => getVerdict(policy, 'GET', who) !== 'pass')) return NOT_AUTHORIZED
  if (!isReached) return GONE
  const further = furtherPolicies[use]
  return further === undefined || getVerdict(further.policy, further.method, who) === 'pass' ? 'open' : NOT_AUTHORIZED
}
