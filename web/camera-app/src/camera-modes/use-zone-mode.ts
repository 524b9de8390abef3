import { type CameraMode, patchZoneMode, type ZoneCameraMode } from '@sightline/contract/camera-modes'
import type { Zone } from '@sightline/contract/zones'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { modeQueries } from './mode-queries.ts'
import { modeName } from './mode-texts.ts'
import { useText } from './text.ts'

/** The mode of a zone with what its cameras do, and a way to change it for all of them. */
export function useZoneMode(zone: Zone) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<ZoneCameraMode['failed']>([])
  const statuses = useQuery(cameraQueries(client).statuses).data
  const saved = useQuery(modeQueries(client).zone(zone.zoneId)).data
  const mode = saved?.mode ?? zone.mode
  const isMixed = zone.cameraIds.some((id) => (statuses?.get(id)?.mode ?? mode) !== mode)
  const change = async (next: CameraMode['mode']) => {
    setBusy(true)
    setFailed([])
    const call = { params: { zoneId: zone.zoneId }, body: { mode: next } }
    const done = await save(() => client.call(patchZoneMode, call), {
      success: t('{name}: {mode}', { name: zone.name, mode: t(modeName(next)) }),
      messages: { 6: t('Add recording times to the schedule first. Without them, nothing would be recorded.') },
    })
    setBusy(false)
    if ('failure' in done) return
    setFailed(done.saved.failed)
    queries.setQueryData(modeQueries(client).zone(zone.zoneId).queryKey, done.saved)
    void queries.invalidateQueries({ queryKey: cameraQueries(client).statuses.queryKey })
    for (const cameraId of zone.cameraIds)
      void queries.invalidateQueries({ queryKey: modeQueries(client).camera(cameraId).queryKey })
  }
  return { mode, recordingMode: saved?.recordingMode ?? zone.recordingMode, isMixed, busy, failed, change }
}
