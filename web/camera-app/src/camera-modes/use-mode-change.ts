import { type CameraMode, patchCameraMode } from '@sightline/contract/camera-modes'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { modeQueries } from './mode-queries.ts'
import { modeName } from './mode-texts.ts'
import { useText } from './text.ts'

/** Shows the new mode everywhere at once, instead of when the statuses are requested again. */
const withMode = (
  statuses: ReadonlyMap<number, CameraStatus>,
  cameraId: number,
  mode: CameraMode['mode'],
): ReadonlyMap<number, CameraStatus> => {
  const status = statuses.get(cameraId)
  return status === undefined ? statuses : new Map(statuses).set(cameraId, { ...status, mode })
}

/** Changes the mode of a camera when a button is pressed. */
export function useModeChange({ cameraId, name }: Pick<Camera, 'cameraId' | 'name'>) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const change = async (mode: CameraMode['mode']) => {
    setBusy(true)
    const done = await save(() => client.call(patchCameraMode, { params: { cameraId }, body: { mode } }), {
      success: t('{name}: {mode}', { name, mode: t(modeName(mode)) }),
      messages: { 6: t('Add recording times to the schedule first. Without them, nothing would be recorded.') },
    })
    setBusy(false)
    if ('failure' in done) return
    queries.setQueryData(modeQueries(client).camera(cameraId).queryKey, done.saved)
    const { statuses } = cameraQueries(client)
    queries.setQueryData(statuses.queryKey, (before) => before && withMode(before, cameraId, done.saved.mode))
    void queries.invalidateQueries({ queryKey: statuses.queryKey })
  }
  return { busy, change }
}
