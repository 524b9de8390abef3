import type { Camera } from '@sightline/contract/cameras'
import { Badge, Status } from '@sightline/kit'
import { type FootagePlayer, type Phase, type PictureView, type TileSize, useViewState } from '@sightline/player'
import { FootagePicture } from '@sightline/player/footage'
import { useApplication } from '@sightline/shell'
import { pictureClass } from './LivePicture.tsx'
import { liveBadge } from './live-badge.ts'
import { type Text, useText } from './text.ts'

interface RecordedPictureProps {
  camera: Camera
  player: FootagePlayer
  size: TileSize
  volume: number
  view: PictureView | undefined
  onView: (view: PictureView | undefined) => void
  /** Of several cameras, the others may have footage where this one has none. */
  isAlone: boolean
}

const missingText = (phase: Phase, isBackward: boolean): Text | undefined => {
  if (phase === 'gap') return 'No footage at this time'
  if (phase !== 'ended') return undefined
  return isBackward ? 'No older footage' : 'No newer footage'
}

const inStep: ReadonlySet<Phase> = new Set(['playing', 'paused'])

/** The recorded picture of a camera, or why there is none. */
export function RecordedPicture({ camera, player, size, volume, view, onView, isAlone }: RecordedPictureProps) {
  const { client } = useApplication()
  const t = useText()
  const { cameraId, name } = camera
  const phase = useViewState(view, (state) => state.phase)
  const isBackward = useViewState(view, (state) => state.rate < 0)
  const text = isAlone ? undefined : missingText(phase, isBackward)
  const { text: badge, mood } = liveBadge(phase, isBackward ? 'backward' : 'playback')
  return (
    <>
      <FootagePicture
        {...{ client, player, cameraId, size, volume, onView }}
        label={t('Recorded picture of {camera}', { camera: name })}
        className={pictureClass}
      />
      {text === undefined ? null : <TileNotice text={t(text)} />}
      <div className="pointer-events-none absolute start-2 top-2" data-state={phase}>
        {/* Several cameras play together: only what differs is worth a badge. */}
        {isAlone || !inStep.has(phase) ? <Badge mood={mood}>{t(badge)}</Badge> : null}
      </div>
    </>
  )
}

const TileNotice = ({ text }: { text: string }) => (
  <Status className="pointer-events-none absolute inset-0 flex items-center justify-center bg-black/70 p-4 text-center text-sm text-white">
    {text}
  </Status>
)
