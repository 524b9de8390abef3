import { type AdditionSubStatus, postCameras } from '@sightline/contract/camera-additions'
import type { CameraStatus } from '@sightline/contract/cameras'
import { areStatesFollowed, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { type CameraRow, rowBody, type SharedCredentials } from './camera-rows.ts'

/** How the addition of a row goes. */
export type RowState =
  | { readonly kind: 'refused'; readonly code: number; readonly detail: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'added'; readonly cameraId: number }
  | { readonly kind: 'failed'; readonly subStatus: AdditionSubStatus }

type Sent = { readonly cameraId: number } | { readonly code: number; readonly detail: string }

/** As many as one call takes. */
const CALL_SIZE = 50
const LOOK_EVERY_MS = 2000

function stateOf(sent: Sent, statuses: ReadonlyMap<number, CameraStatus> | undefined): RowState {
  if ('code' in sent) return { kind: 'refused', ...sent }
  const status = statuses?.get(sent.cameraId)
  if (status?.additionStatus === 'added') return { kind: 'added', cameraId: sent.cameraId }
  if (status?.additionStatus === 'failure') return { kind: 'failed', subStatus: status.additionSubStatus }
  return { kind: 'running' }
}

/** Adds several cameras and follows each. `stateOf` is undefined for a row that wasn't sent. */
export function useSeveralAdditions() {
  const { client, queries } = useApplication()
  const save = useSave()
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map())
  const isWaiting = (statuses: ReadonlyMap<number, CameraStatus> | undefined) =>
    [...sent.values()].some((one) => stateOf(one, statuses).kind === 'running')
  const { data: statuses } = useQuery({
    ...cameraQueries(client).statuses,
    enabled: sent.size > 0,
    refetchInterval: ({ state }) => (!areStatesFollowed() && isWaiting(state.data) ? LOOK_EVERY_MS : false),
  })
  const addSome = async (zoneId: number, rows: readonly CameraRow[], shared: SharedCredentials) => {
    const body = { zoneId, cameras: rows.map((row) => rowBody(row, shared)) }
    const done = await save(() => client.call(postCameras, { body }))
    if ('failure' in done) return false
    const results = rows.map((row, at): readonly [string, Sent] => {
      const { camera = null, error = null } = done.saved[at] ?? {}
      if (camera !== null) return [row.key, { cameraId: camera.cameraId }]
      return [row.key, { code: error?.code ?? 1, detail: error?.detail ?? error?.title ?? '' }]
    })
    setSent((before) => new Map([...before, ...results]))
    void queries.invalidateQueries({ queryKey: ['cameras'], exact: true })
    void queries.invalidateQueries({ queryKey: ['cameras/all/status'] })
    return true
  }
  return {
    stateOf: (row: CameraRow): RowState | undefined => {
      const one = sent.get(row.key)
      return one === undefined ? undefined : stateOf(one, statuses)
    },
    /** Sends rows, as many as there are. */
    async add(zoneId: number, rows: readonly CameraRow[], shared: SharedCredentials): Promise<void> {
      for (let at = 0; at < rows.length; at += CALL_SIZE)
        if (!(await addSome(zoneId, rows.slice(at, at + CALL_SIZE), shared))) return
    },
  }
}
