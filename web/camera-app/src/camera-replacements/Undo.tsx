import { type CameraReplacement, undoCameraReplacement } from '@sightline/contract/camera-replacements'
import { Button, ConfirmDialog, Notice } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { useText } from './text.ts'

interface UndoProps {
  cameraId: number
  former: NonNullable<CameraReplacement['former']>
  disabled: boolean
}

const MS_PER_HOUR = 3_600_000

/** Says that the former device can be restored, and until when. */
export function Undo({ cameraId, former, disabled }: UndoProps) {
  const t = useText()
  const moments = useMoments()
  const { client, queries } = useApplication()
  const save = useSave()
  const [asks, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const hours = Math.max(0, Math.floor((Date.parse(former.undoUntil) - Date.now()) / MS_PER_HOUR))
  const name = [former.brand, former.model].filter(Boolean).join(' ') || t('The old device')
  const undo = async () => {
    setBusy(true)
    const done = await save(() => client.call(undoCameraReplacement, { params: { cameraId } }), {
      success: t('The old device is back'),
      messages: {
        4: t('The old device can no longer be put back.'),
        5: t('Another camera is connected to the old device. Remove that camera first.'),
        6: t('A new device is being connected to this camera. Try again when that has finished.'),
      },
    })
    setBusy(false)
    ask(false)
    if ('saved' in done) void queries.invalidateQueries({ queryKey: ['cameras'] })
  }
  return (
    <>
      <Notice mood="brand">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            {t('{name} was replaced {time}. You can put it back until {until}. Hours left: {hours}.', {
              name,
              time: moments.shortly(former.replacedAt),
              until: moments.shortly(former.undoUntil),
              hours,
            })}
          </p>
          <Button variant="secondary" disabled={disabled} onClick={() => ask(true)}>
            {t('Undo replacement')}
          </Button>
        </div>
      </Notice>
      <ConfirmDialog
        open={asks}
        onClose={() => ask(false)}
        title={t('Put the old device back?')}
        confirm={t('Undo replacement')}
        busy={busy}
        onConfirm={() => void undo()}
      >
        <p>
          {t(
            'The camera connects to {name} again with its address and password. Footage of both devices stays. The connection to the new device is forgotten.',
            { name },
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}
