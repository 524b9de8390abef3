import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { Badge } from '@sightline/kit'
import { CameraPicture, type PictureView, type TileSize, useViewState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { Snapshot } from '../cameras/index.ts'
import { useText } from '../text.ts'
import { FrozenNotice, StateBadge } from './StateBadge.tsx'
import { useDenyReason } from './use-deny-reason.ts'

export const pictureClass = 'absolute inset-0 size-full object-contain'

interface LivePictureProps {
  camera: Camera
  status: CameraStatus | undefined
  size: TileSize
  volume: number
  view: PictureView | undefined
  onView: (view: PictureView | undefined) => void
}

/** The live picture of a camera, and what is wrong with it. Until the first picture: the server's latest snapshot. */
export function LivePicture({ camera, status, size, volume, view, onView }: LivePictureProps) {
  const { client } = useApplication()
  const t = useText()
  const { cameraId, name } = camera
  const isRefused = useDenyReason(view, cameraId)
  const isWaiting = useViewState(view, (state) => state.pictures === 0)
  const isTalking = useViewState(view, (state) => state.isTalking === true)
  const isPrivate = status?.mode === 'private'
  const lastSeen = typeof status?.lastSeen === 'string' ? Date.parse(status.lastSeen) : undefined
  return (
    <>
      {isWaiting ? (
        <Snapshot
          fit="contain"
          online={status?.online !== false}
          label={t('Latest snapshot from {camera}', { camera: name })}
          {...{ cameraId, isPrivate }}
        />
      ) : null}
      <CameraPicture
        {...{ client, cameraId, volume, onView }}
        use="live"
        stream={size === 'full' ? 'main' : 'smallest'}
        pictures={size === 'many' ? 'keysOfMain' : 'all'}
        label={t('Live picture of {camera}', { camera: name })}
        className={pictureClass}
      />
      <FrozenNotice view={view} use="live" {...{ lastSeen, isPrivate }} />
      <div className="pointer-events-none absolute start-2 top-2">
        <StateBadge view={view} use="live" {...{ lastSeen, isPrivate, isRefused }} />
        {isTalking ? (
          <span role="status" className="ms-1" data-talking>
            <Badge mood="brand">{t('Talk in progress')}</Badge>
          </span>
        ) : null}
      </div>
    </>
  )
}
