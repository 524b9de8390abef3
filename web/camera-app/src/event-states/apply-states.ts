import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { StateChanges } from '@sightline/contract/event-states'
import type { FootageExport } from '@sightline/contract/exports'
import type { Application } from '@sightline/shell'
import { cameraQueries } from '../cameras/index.ts'
import { exportsQuery } from '../exports/index.ts'

/** Puts states that the server told where screens look for them. */
export async function applyStates(
  { client, queries }: Pick<Application, 'client' | 'queries'>,
  changes: StateChanges,
): Promise<void> {
  const { list, statuses } = cameraQueries(client)
  const { queryKey: exportsKey } = exportsQuery(client)
  // A reply that is still on its way may be older.
  await Promise.all([statuses.queryKey, exportsKey].map((queryKey) => queries.cancelQueries({ queryKey, exact: true })))
  const told = queries.setQueryData(statuses.queryKey, (before) => nextStatuses(before, changes))
  queries.setQueryData(exportsKey, (before) => nextExports(before, changes))
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

/** Newest first. */
function nextExports(before: FootageExport[] | undefined, changes: StateChanges): FootageExport[] | undefined {
  if (changes.complete) return changes.exports
  if (before === undefined || changes.exports.length + changes.goneExportIds.length === 0) return before
  const left = new Set([...changes.goneExportIds, ...changes.exports.map(({ exportId }) => exportId)])
  const next = [...changes.exports, ...before.filter(({ exportId }) => !left.has(exportId))]
  return next.sort(
    (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.exportId - one.exportId,
  )
}

/** A camera was added, removed, or is no longer accessible. */
const isOtherList = (listed: readonly Camera[], told: Statuses): boolean =>
  listed.length !== told.size || listed.some(({ cameraId }) => !told.has(cameraId))
