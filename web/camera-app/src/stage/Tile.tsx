import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { Status } from '@sightline/kit'
import { codecName, type PictureView, type TileSize, useViewState } from '@sightline/player'
import { type DragEvent, lazy, type ReactNode, type Ref, Suspense, useEffect, useState } from 'react'
import { useText } from '../text.ts'
import { LivePicture } from './LivePicture.tsx'
import type { StagePosition } from './stage-position.ts'
import { useDenyReason } from './use-deny-reason.ts'

export interface TileProps {
  camera: Camera
  status: CameraStatus | undefined
  position: StagePosition
  size: TileSize
  /** The page shows no other camera. */
  isAlone: boolean
  isSelected: boolean
  /** 0 unless this camera is heard. */
  volume: number
  /** Over the picture, for clicks on it. */
  layer: Ref<HTMLDivElement> | undefined
  /** Receives the open picture, to read its state, and undefined after it closes. */
  onView: (cameraId: number, view: PictureView | undefined) => void
  /** Undefined if the page shows a single camera. */
  onSelect: (() => void) | undefined
  onEnlarge: (() => void) | undefined
  /** Another tile was dropped on this one. */
  onDrop: ((cameraId: number) => void) | undefined
  /** The bar of the tile. */
  children: ReactNode
}

// Loads with footage.
const RecordedPicture = lazy(() =>
  import('./RecordedPicture.tsx').then((module) => ({ default: module.RecordedPicture })),
)

const CAMERA_DRAG = 'application/x-sightline-camera'

function useTileDrag(cameraId: number, onDrop: TileProps['onDrop']) {
  const [isTarget, setTarget] = useState(false)
  if (onDrop === undefined) return { isTarget: false, drag: {} }
  const drag = {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(CAMERA_DRAG, String(cameraId)),
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(CAMERA_DRAG)) return
      event.preventDefault()
      setTarget(true)
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      setTarget(false)
      const dropped = Number(event.dataTransfer.getData(CAMERA_DRAG))
      if (dropped > 0 && dropped !== cameraId) onDrop(dropped)
    },
  }
  return { isTarget, drag }
}

/** One camera of the stage. */
export function Tile(props: TileProps) {
  const { camera, status, position, size, volume, isAlone, isSelected, layer, onView, onSelect, onEnlarge } = props
  const { cameraId } = camera
  const [view, setView] = useState<PictureView>()
  useEffect(() => {
    onView(cameraId, view)
    return () => onView(cameraId, undefined)
  }, [onView, cameraId, view])
  const { isTarget, drag } = useTileDrag(cameraId, props.onDrop)
  const picture = { camera, size, volume, view, onView: setView }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus and the keys 1 to 9 select the tile, and its menu has the same actions.
    <li
      {...drag}
      data-tile={cameraId}
      aria-current={(isSelected && !isAlone) || undefined}
      onClick={onSelect}
      onFocus={onSelect}
      onDoubleClick={onEnlarge}
      className={`group relative min-h-0 min-w-0 overflow-hidden bg-black ${isTarget ? 'ring-2 ring-white ring-inset' : ''} ${isSelected && !isAlone ? 'outline-2 -outline-offset-2 outline-white/80' : ''}`}
    >
      {position.use === 'live' ? <LivePicture {...picture} status={status} /> : null}
      {position.use === 'playback' && position.player !== undefined ? (
        <Suspense fallback={null}>
          <RecordedPicture {...picture} player={position.player} isAlone={isAlone} />
        </Suspense>
      ) : null}
      <div ref={layer} className="pointer-events-none absolute inset-0" />
      <LastWord view={view} cameraId={cameraId} />
      <Waiting view={view} />
      {props.children}
    </li>
  )
}

function Waiting({ view }: { view: PictureView | undefined }) {
  const t = useText()
  const isWaiting = useViewState(view, ({ phase }) => phase === 'connecting' || phase === 'reconnecting')
  if (!isWaiting) return null
  return (
    <div
      role="progressbar"
      aria-label={t('Waiting for the picture')}
      className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
    >
      <div className="absolute h-full w-1/3 animate-slide bg-white" />
    </div>
  )
}

/** Why there will be no picture. */
function LastWord({ view, cameraId }: { view: PictureView | undefined; cameraId: number }) {
  const t = useText()
  const phase = useViewState(view, (state) => state.phase)
  const codec = codecName(useViewState(view, (state) => state.unsupportedCodec))
  const isRefused = useDenyReason(view, cameraId)
  const text = {
    refused: "Camera not found, or you don't have access to it",
    unsupported:
      'This browser can’t show {codec}, the video format of this camera. Try another browser, or set the camera to H.264.',
  } as const
  if (phase !== 'refused' && phase !== 'unsupported') return null
  if (phase === 'refused' && !isRefused) return null
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center bg-black/60 p-4 text-center text-white">
      <Status className="max-w-sm text-base font-semibold">{t(text[phase], { codec })}</Status>
    </div>
  )
}
