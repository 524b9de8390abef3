import { setCameraClock } from '@sightline/contract/camera-clock'
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import { Button } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useText } from './text.ts'

/** The entry that says that the camera's clock is wrong, if none of the listed ones says that it was set since. */
export function findWrongClock(entries: readonly CameraLogEntry[] | undefined): CameraLogEntry | undefined {
  const newest = entries?.find(({ event }) => event === 'clockWrong' || event === 'clockSet')
  return newest?.event === 'clockWrong' ? newest : undefined
}

const LOGGED_AFTER_MS = 2000

/** Sets a camera's clock to the server's time, which takes up to some seconds. */
export function SetClock({ cameraId }: { cameraId: string }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const [isSet, setSet] = useState(false)
  const set = async () => {
    setBusy(true)
    try {
      const result = await save(() => client.call(setCameraClock, { params: { cameraId: Number(cameraId) } }), {
        success: t('Camera clock set'),
        messages: {
          6: t("This camera gets its time from NTP servers. Check them in the camera's own settings."),
          11: t('Only the clocks of cameras that are connected by ONVIF can be set.'),
          12: t('The camera rejected the change. It needs the user name and password of an administrator.'),
          13: t("The camera didn't set its clock."),
          18: t('The camera is offline'),
          19: t("The camera didn't respond in time."),
        },
      })
      setSet('saved' in result)
    } finally {
      setBusy(false)
      // The camera's log gets its entry a moment after the answer.
      setTimeout(() => void queries.invalidateQueries({ queryKey: ['cameras', cameraId, 'logs'] }), LOGGED_AFTER_MS)
    }
  }
  if (isSet) return null
  return (
    <Button variant="secondary" busy={busy} onClick={() => void set()}>
      {t('Set clock')}
    </Button>
  )
}
