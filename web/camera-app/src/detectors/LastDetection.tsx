import { Button, Dialog } from '@sightline/kit'
import { useText } from './text.ts'

/** The dialog of the specification: without any detection, the camera would be blind; Disarmed is meant for that. */
export function LastDetection({ cameraId, open, onClose }: { cameraId: number; open: boolean; onClose: () => void }) {
  const t = useText()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('Unable to turn off all detections')}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <p>
        {t('At least one detection must stay on. To stop recording and notifications, set the camera to Disarmed.')}
      </p>
      <p className="mt-3">
        <a data-here href={`/app/cameras/${cameraId}/settings/recording`} className="text-link-underline">
          {t('Change the camera mode')}
        </a>
      </p>
    </Dialog>
  )
}
