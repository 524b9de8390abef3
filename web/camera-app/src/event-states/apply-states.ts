import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { StateChanges } from '@sightline/contract/event-states'
import type { FootageExport } from '@sightline/contract/exports'
import type { FootageShare } from '@sightline/contract/shares'
import type { Application } from '@sightline/shell'
import { applySupportSessions } from '@sightline/shell/follow-support'
import { putTold } from '@sightline/shell/server-states'
import { cameraQueries } from '../cameras/index.ts'
import { exportsQuery } from '../exports/index.ts'
import { sharesQuery } from '../shares/index.ts'
import { applyDevices, applyJobs } from './apply-devices.ts'

/** Puts states that the server told where screens look for them. */
export async function applyStates(
  { client, queries }: Pick<Application, 'client' | 'queries'>,
  changes: StateChanges,
): Promise<void> {
  const { list, statuses } = cameraQueries(client)
  const { queryKey: exportsKey } = exportsQuery(client)
  const { queryKey: sharesKey } = sharesQuery(client)
  const [told] = await Promise.all([
    putTold<Statuses>(queries, statuses.queryKey, (before) => nextStatuses(before, changes)),
    putTold<FootageExport[]>(queries, exportsKey, (before) => nextExports(before, changes)),
    putTold<FootageShare[]>(queries, sharesKey, (before) => nextShares(before, changes)),
  ])
  for (const { shareId } of changes.shares) void queries.invalidateQueries({ queryKey: ['shares', shareId, 'views'] })
  await applySupportSessions(queries, changes)
  await applyDevices({ client, queries }, changes)
  applyJobs({ client, queries }, changes)
  const listed = queries.getQueryData(list.queryKey)
  if (listed !== undefined && told !== undefined && isOtherList(listed, told)) {
    await queries.invalidateQueries({ queryKey: list.queryKey, exact: true })
  }
}

type Statuses = ReadonlyMap<number, CameraStatus>

/** Undefined as long as not all states are known. */
function nextStatuses(before: Statuses | undefined, changes: StateChanges): Statuses | undefined {
  if (changes.complete) return new Map(changes.cameras.map((status) => [status.cameraId, status]))
  if (before === undefined || changes.cameras.length + changes.goneCameraIds.length === 0) return before
  const next = new Map(before)
  for (const status of changes.cameras) next.set(status.cameraId, status)
  for (const cameraId of changes.goneCameraIds) next.delete(cameraId)
  return next
}

const nextExports = (before: FootageExport[] | undefined, { complete, exports, goneExportIds }: StateChanges) =>
  nextNewestFirst(before, { complete, changed: exports, gone: goneExportIds }, ({ exportId }) => exportId)

const nextShares = (before: FootageShare[] | undefined, { complete, shares, goneShareIds }: StateChanges) =>
  nextNewestFirst(before, { complete, changed: shares, gone: goneShareIds }, ({ shareId }) => shareId)

interface ListChanges<Item> {
  readonly complete: boolean
  readonly changed: Item[]
  readonly gone: readonly number[]
}

function nextNewestFirst<Item extends { readonly createdAt: string }>(
  before: Item[] | undefined,
  { complete, changed, gone }: ListChanges<Item>,
  idOf: (item: Item) => number,
): Item[] | undefined {
  if (complete) return changed
  if (before === undefined || changed.length + gone.length === 0) return before
  const left = new Set([...gone, ...changed.map(idOf)])
  const next = [...changed, ...before.filter((item) => !left.has(idOf(item)))]
  return next.sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt) || idOf(other) - idOf(one))
}

/** A camera was added, removed, or is no longer accessible. */
const isOtherList = (listed: readonly Camera[], told: Statuses): boolean =>
  listed.length !== told.size || listed.some(({ cameraId }) => !told.has(cameraId))
