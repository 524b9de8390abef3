import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { streamRules } from '@sightline/contract/streams'
import { CameraPicture, type CameraView, useViewState } from '@sightline/player'
import { useApplication, useMay } from '@sightline/shell'
import { type ReactNode, useState } from 'react'
import { Snapshot } from '../cameras/index.ts'
import { useText } from './text.ts'

interface DetectionPictureProps {
  camera: Camera
  status: CameraStatus | undefined
  /** Drawn over the picture, which fills the frame, so that shares of one are shares of the other. */
  children: ReactNode
}

/** The live picture of a camera, or its newest snapshot, with something drawn over it. */
export function DetectionPicture({ camera, status, children }: DetectionPictureProps) {
  const t = useText()
  const { client } = useApplication()
  const [view, setView] = useState<CameraView>()
  const mayWatch = useMay()(streamRules.live) === true
  const isLive = mayWatch && status?.online === true && status.mode !== 'private'
  const ratio = useViewState(view, ({ width, height }) => (width && height ? width / height : undefined))
  const hasPicture = useViewState(view, ({ pictures }) => pictures > 0)
  const label = t('Picture of {camera}', { camera: camera.name })
  return (
    <div
      dir="ltr"
      className="relative w-full overflow-hidden rounded-md bg-sunken select-none"
      style={{ aspectRatio: ratio ?? 16 / 9 }}
    >
      {isLive && hasPicture ? null : (
        <Snapshot
          cameraId={camera.cameraId}
          online={status?.online !== false}
          isPrivate={status?.mode === 'private'}
          label={label}
        />
      )}
      {isLive ? (
        <CameraPicture
          client={client}
          cameraId={camera.cameraId}
          use="live"
          volume={0}
          label={label}
          className="absolute inset-0 size-full object-fill"
          onView={setView}
        />
      ) : null}
      {children}
    </div>
  )
}
