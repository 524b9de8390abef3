import { type CameraDiscovery, getCameraDiscovery, startCameraDiscovery } from '@sightline/contract/camera-discovery'
import type { ApiError } from '@sightline/contract/errors'
import { type JoinedDiscovery, MAX_SWEEP_ADDRESSES, type MediaPlane } from '@sightline/contract/media-plane'
import type { Db, TenantScope } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { isAdded } from './rules.ts'
import { listConnections } from './store.ts'

interface Deps {
  readonly db: Db
  readonly media: Pick<MediaPlane, 'discovery'>
}

const failures: Readonly<Record<Exclude<JoinedDiscovery['kind'], 'state'>, ApiError>> = {
  busy: { error: 'businessRule', detail: 'a search is running already' },
  // The same for a network of others, of nobody, and one that doesn't exist.
  notAllowed: {
    error: 'validation',
    detail: 'network: must be within the networks of the account',
    fields: [{ field: 'network', message: 'must be within the networks of the account' }],
  },
  tooLarge: {
    error: 'validation',
    detail: `network: can have at most ${MAX_SWEEP_ADDRESSES} addresses`,
    fields: [{ field: 'network', message: `can have at most ${MAX_SWEEP_ADDRESSES} addresses` }],
  },
  timedOut: { error: 'timedOut', detail: 'the media server is not responding; try again shortly' },
}

/** Cameras that a media worker finds in the networks of an account. The API itself sends nothing into them. */
export const cameraDiscovery = ({ db, media }: Deps) => [
  serve(getCameraDiscovery, async ({ accountId, userId }) =>
    toReply(await media.discovery({ accountId }), { db, scope: { accountId, userId } }),
  ),

  serveChange(startCameraDiscovery, async (change, { body: { network, connect = false, cancel = false } }) => {
    const { accountId, userId } = change.caller
    const scope = { accountId, userId }
    // Before it begins: nobody searches without a line in the audit log.
    const recorded = await change.tx(scope, async () => {
      const asked = await change.reauthorize()
      if (!asked.ok) return asked
      const target = { kind: 'account', id: accountId }
      const after = { network: network ?? null, ...(connect ? { connect } : {}) }
      await change.audit({ action: 'startCameraDiscovery', target, after: cancel ? { cancel } : after })
      return ok(undefined)
    })
    if (!recorded.ok) return recorded
    const question = cancel ? { accountId, cancel } : { accountId, start: { sweep: network ?? null, connect } }
    return toReply(await media.discovery(question), { db, scope })
  }),
]

async function toReply(
  answer: JoinedDiscovery,
  { db, scope }: { readonly db: Db; readonly scope: TenantScope },
): Promise<Result<CameraDiscovery, ApiError>> {
  if (answer.kind !== 'state') return fail(failures[answer.kind])
  const { networks, search, progress, cameras } = answer
  const known = cameras.length === 0 ? [] : await db.inTenant(scope, (tx) => listConnections(tx, scope.accountId))
  return ok({
    networks: [...networks],
    state: search,
    progress,
    cameras: cameras.map((camera) => ({
      ...camera,
      machines: [...camera.machines],
      added: isAdded(camera, known),
    })),
  })
}
