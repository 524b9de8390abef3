/** Calls that change groups, sequences and layouts, each with a request that is valid. For tests. */
import type { TestApi } from '../slice-testing.ts'

/** One of each kind, which all users have. */
export interface SavedViews {
  readonly cameraGroupId: number
  readonly sequenceId: number
  readonly layoutId: number
}

export async function addSavedViews(api: TestApi, token: string, cameraId: number): Promise<SavedViews> {
  const of = { cameraId }
  const group = await api.call(token, 'POST cameraGroups', newGroup(of))
  const sequence = await api.call(token, 'POST sequences', newSequence(of))
  const layout = await api.call(token, 'POST layouts', { ...newLayout(of), shared: true })
  return { ...group.body, ...sequence.body, ...layout.body }
}

interface World {
  readonly cameraId: number
  readonly savedViews: SavedViews
}

const newGroup = ({ cameraId }: Pick<World, 'cameraId'>) => ({ name: 'Night', cameraIds: [cameraId] })
const newSequence = ({ cameraId }: Pick<World, 'cameraId'>) => ({
  name: 'Tour',
  steps: [{ cameraIds: [cameraId], seconds: 10 }],
})
const newLayout = ({ cameraId }: Pick<World, 'cameraId'>) => ({
  name: 'Doors',
  grid: 4,
  tiles: [{ x: 1, y: 1, w: 1, h: 1, cameraId }],
})

type Calls = Readonly<Record<string, (world: World) => readonly [request: string, body?: unknown]>>

export const savedViewCalls: Calls = {
  postCameraGroup: (world) => ['POST cameraGroups', newGroup(world)],
  patchCameraGroup: ({ savedViews }) => [`PATCH cameraGroups/${savedViews.cameraGroupId}`, { name: 'Day' }],
  deleteCameraGroup: ({ savedViews }) => [`DELETE cameraGroups/${savedViews.cameraGroupId}`],
  postSequence: (world) => ['POST sequences', newSequence(world)],
  patchSequence: ({ savedViews }) => [`PATCH sequences/${savedViews.sequenceId}`, { name: 'Short tour' }],
  deleteSequence: ({ savedViews }) => [`DELETE sequences/${savedViews.sequenceId}`],
  postLayout: (world) => ['POST layouts', newLayout(world)],
}

/** Of a layout that all users have. */
export const sharedLayoutCalls: Calls = {
  patchLayout: ({ savedViews }) => [`PATCH layouts/${savedViews.layoutId}`, { name: 'All doors' }],
  deleteLayout: ({ savedViews }) => [`DELETE layouts/${savedViews.layoutId}`],
}
