import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { detectorQueries } from './detector-queries.ts'
import { useText } from './text.ts'

/** The code of the server when the last detection would be turned off (specification §5). */
const LAST_DETECTION = 6

/** Saves one detection of a camera; `isLast` after an attempt to turn off the last one, which then stays on. */
export function useDetectionSave(
  cameraId: number,
  form: { readonly choose: (field: 'enabled', value: 'on' | 'off') => void },
) {
  const t = useText()
  const { client, queries, snackBar } = useApplication()
  const saveChange = useSave()
  const [isLast, setIsLast] = useState(false)
  const save = async (send: () => Promise<unknown>) => {
    const done = await saveChange(send, {
      success: t('Detections saved'),
      messages: { [LAST_DETECTION]: t('Unable to turn off all detections') },
    })
    if ('failure' in done && done.failure.code === LAST_DETECTION) {
      snackBar.closeErrors()
      form.choose('enabled', 'on')
      setIsLast(true)
    }
    await queries.invalidateQueries({ queryKey: detectorQueries(client, cameraId).all.queryKey, exact: true })
  }
  return { save, isLast, closeLast: () => setIsLast(false) }
}
