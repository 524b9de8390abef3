/** Camera groups, sequences and layouts: api.md §10. */
import type { OperationCase, RequestScene } from '../operation.ts'

const seeing = { callers: 'members', right: 'CameraView', support: 'yes' } as const
const having = (right: string) => ({ callers: 'members', right, support: 'yes' }) as const
const arranging = { callers: 'members', right: 'CameraView', support: 'no' } as const

type Member = Extract<RequestScene['who']['is'], { readonly kind: 'member' }>

const reaches = ({ reach }: Member, { camera, zone }: RequestScene['ids']): boolean =>
  reach === 'all' || reach.cameras.includes(camera) || reach.zones.includes(zone)

/** A camera that the caller has no access to isn't there for them, whatever is made with it. */
const inReach: OperationCase['except'] = ({ who: { is }, ids }) =>
  is.kind === 'member' && !reaches(is, ids)
    ? { verdict: 'absent', because: 'a camera out of reach is shown with no right' }
    : undefined

/** The layouts of the world are for all users; who sees none of their cameras doesn't see them. */
const ofAllUsers: OperationCase['except'] = ({ who: { is }, ids }) =>
  is.kind === 'member' && !is.isOwner && reaches(is, ids)
    ? { verdict: 'forbidden', because: 'the owner decides what all users have' }
    : undefined

const steps = ({ ids }: RequestScene) => [{ cameraIds: [ids.camera], seconds: 10 }]
const tiles = ({ ids }: RequestScene) => [{ x: 0, y: 0, w: 1, h: 1, cameraId: ids.camera }]

export const savedViewCalls: Readonly<Record<string, OperationCase>> = {
  getCameraGroups: { policy: seeing },
  postCameraGroup: {
    policy: having('addCameraGroup'),
    send: ({ ids, fresh }) => ({ body: { name: fresh, cameraIds: [ids.camera] } }),
    foreign: { 'body.cameraIds': 404 },
    except: inReach,
  },
  patchCameraGroup: {
    policy: having('editCameraGroup'),
    send: ({ ids, fresh }) => ({ body: { name: fresh, cameraIds: [ids.camera] } }),
    foreign: { 'body.cameraIds': 404 },
  },
  deleteCameraGroup: { policy: having('deleteCameraGroup') },
  getSequences: { policy: seeing },
  postSequence: {
    policy: having('addSequence'),
    send: (scene) => ({ body: { name: scene.fresh, steps: steps(scene) } }),
    except: inReach,
  },
  patchSequence: {
    policy: having('editSequence'),
    send: (scene) => ({ body: { name: scene.fresh, steps: steps(scene) } }),
  },
  deleteSequence: { policy: having('deleteSequence') },
  getLayouts: { policy: seeing },
  postLayout: {
    policy: arranging,
    send: (scene) => ({ body: { name: scene.fresh, grid: 1, tiles: tiles(scene) } }),
    except: inReach,
  },
  'postLayout for all users': {
    policy: { ...arranging, owner: true },
    send: (scene) => ({ body: { name: scene.fresh, grid: 1, tiles: tiles(scene), shared: true } }),
  },
  patchLayout: { policy: arranging, send: ({ fresh }) => ({ body: { name: fresh } }), except: ofAllUsers },
  deleteLayout: { policy: arranging, except: ofAllUsers },
}
