import { getBodyCameraTrack } from '@sightline/contract/body-cameras'
import { type Camera, deleteCamera, patchCamera } from '@sightline/contract/cameras'
import { Button, buttonClass, Notice } from '@sightline/kit'
import { Screen, useMay } from '@sightline/shell'
import { useState } from 'react'
import { RemoveCamera } from '../camera-additions/index.ts'
import { Track } from './Track.tsx'
import { useText } from './text.ts'

/** The page of a body-worn camera: its track. It has no video yet, and says so. */
export function BodyCamera({ camera }: { camera: Camera }) {
  const t = useText()
  const may = useMay()
  const [removing, setRemoving] = useState<'never' | 'open' | 'closed'>('never')
  const { brand, model, name } = camera
  const product = [brand, model].filter((part) => part !== null && part !== '').join(' ')
  return (
    <Screen
      title={name}
      description={product === '' ? t('Body-worn camera') : product}
      back={{ href: '/app/', label: t('All cameras') }}
      width="form"
      actions={
        <>
          {may(patchCamera) === true ? (
            <a data-here href={`/app/cameras/${camera.cameraId}/settings`} className={buttonClass('secondary')}>
              {t('Camera settings')}
            </a>
          ) : null}
          {may(deleteCamera) === true ? (
            <Button variant="secondary" icon="trash" onClick={() => setRemoving('open')}>
              {t('Remove camera')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="space-y-6">
        <Notice>
          {t("Its video isn't available yet: that needs the bridge, which comes in a later version.")}{' '}
          {t('Nothing is shown live or recorded.')}
        </Notice>
        {may(getBodyCameraTrack) === true ? <Track camera={camera} /> : null}
      </div>
      {removing === 'never' ? null : (
        <RemoveCamera camera={camera} open={removing === 'open'} onClose={() => setRemoving('closed')} />
      )}
    </Screen>
  )
}
