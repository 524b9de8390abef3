/** Links to footage: api.md §14, security.md §6.4. */
import { makeShareSecret } from '../arrange-cameras.ts'
import type { OperationCase, RequestScene } from '../operation.ts'

const exporting = { callers: 'members', right: 'export', support: 'no', visitor: 'no' } as const

const NO_SECRET = 'nobody-has-this-secret'

const outOfReach = ({ who: { is }, ids }: RequestScene) =>
  is.kind === 'member' &&
  is.reach !== 'all' &&
  !is.reach.cameras.includes(ids.camera) &&
  !is.reach.zones.includes(ids.zone)
    ? ({ verdict: 'absent', because: 'a camera out of reach is shared and watched with no right' } as const)
    : undefined

export const shareCalls: Readonly<Record<string, OperationCase>> = {
  addShare: {
    // Who shares footage must be allowed to play it.
    policy: { ...exporting, andRight: 'playback' },
    send: ({ ids, fresh }) => ({
      body: {
        cameraId: ids.camera,
        from: '2026-01-01T00:00:00Z',
        till: '2026-01-01T00:10:00Z',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        name: fresh,
      },
    }),
    foreign: { 'body.cameraId': 404 },
    except: outOfReach,
  },
  getShares: { policy: exporting },
  getShareViews: { policy: exporting },
  deleteShare: { policy: exporting },
  openPublicShare: {
    policy: { callers: 'anybody', support: 'yes' },
    send: () => ({ body: { secret: NO_SECRET } }),
    also: { 404: 'the link is wrong' },
    silent: 'a wrong link opens nothing',
  },
  openAccountShare: {
    policy: { callers: 'members', right: 'playback', support: 'no', visitor: 'no' },
    // What others see of a share by its link is in the tests of the slice.
    send: ({ who: { is } }) => ({
      body: { secret: is.kind === 'member' && is.isOwner ? makeShareSecret(is.account.accountId) : NO_SECRET },
    }),
    also: { 404: 'the link is wrong' },
    silent: 'a wrong link opens nothing',
  },
}
