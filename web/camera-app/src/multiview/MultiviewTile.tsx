import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import { Badge, Icon, Menu, type MenuItem, Status } from '@sightline/kit'
import {
  CameraPicture,
  type CameraView,
  codecName,
  FootagePicture,
  type FootageSession,
  type TrackState,
  useViewState,
} from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { type DragEvent, useState } from 'react'
import { Snapshot } from '../cameras/index.ts'
import { FrozenNotice, StateBadge, stageToolClass, useDenyReason } from '../streams/index.ts'
import { type Text, useText } from './text.ts'

export interface TileActions {
  onSelect: () => void
  onEnlarge: () => void
  /** Puts the tile at that place of the view. */
  onMove: (place: number) => void
  onRemove: () => void
  /** Another tile was dropped on this one. */
  onDrop: (cameraId: number) => void
  onListen: (() => void) | undefined
}

export interface TileProps extends TileActions {
  camera: Camera
  status: CameraStatus | undefined
  session: FootageSession | undefined
  use: 'live' | 'playback'
  /** The place of the tile, from 0, and the number of tiles. */
  place: number
  count: number
  isSelected: boolean
  isEnlarged: boolean
  /** 0 unless this camera is heard. */
  volume: number
}

const CAMERA_DRAG = 'application/x-sightline-camera'

/** One camera of the view. */
export function MultiviewTile(props: TileProps) {
  const { camera, use, session, isSelected, place, onSelect, onEnlarge, onDrop } = props
  const [isTarget, setTarget] = useState(false)
  const drag = {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(CAMERA_DRAG, String(camera.cameraId)),
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(CAMERA_DRAG)) return
      event.preventDefault()
      setTarget(true)
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      setTarget(false)
      const dropped = Number(event.dataTransfer.getData(CAMERA_DRAG))
      if (dropped > 0 && dropped !== camera.cameraId) onDrop(dropped)
    },
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: focus selects the tile, and its menu has the same actions.
    <li
      {...drag}
      data-tile={camera.cameraId}
      data-place={place}
      aria-current={isSelected || undefined}
      onClick={onSelect}
      onFocus={onSelect}
      onDoubleClick={onEnlarge}
      className={`group relative min-h-0 min-w-0 overflow-hidden bg-black ${isTarget ? 'ring-2 ring-white ring-inset' : ''} ${isSelected ? 'outline-2 -outline-offset-2 outline-white/80' : ''}`}
    >
      {use === 'live' || session === undefined ? (
        <LiveTile {...props} />
      ) : (
        <RecordedTile {...props} session={session} />
      )}
      <TileBar {...props} />
    </li>
  )
}

const pictureClass = 'absolute inset-0 size-full object-contain'

function LiveTile({ camera, status, use, isEnlarged, volume }: TileProps) {
  const { client } = useApplication()
  const t = useText()
  const [view, setView] = useState<CameraView>()
  const { cameraId, name } = camera
  const isRefused = useDenyReason(view, cameraId)
  const isWaiting = useViewState(view, (state) => state.pictures === 0)
  const phase = useViewState(view, (state) => state.phase)
  const codec = codecName(useViewState(view, (state) => state.unsupportedCodec))
  const isPrivate = status?.mode === 'private'
  const lastSeen = typeof status?.lastSeen === 'string' ? Date.parse(status.lastSeen) : undefined
  // Footage opens as soon as its session is there.
  if (use === 'playback') return null
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
        {...{ client, cameraId, volume }}
        use="live"
        stream={isEnlarged ? 'main' : 'smallest'}
        label={t('Live picture of {camera}', { camera: name })}
        className={pictureClass}
        onView={setView}
      />
      <FrozenNotice view={view} use="live" {...{ lastSeen, isPrivate }} />
      {phase === 'unsupported' ? <TileNotice text={t('This browser can’t show {codec}.', { codec })} /> : null}
      <div className="pointer-events-none absolute start-2 top-2">
        <StateBadge view={view} use="live" {...{ lastSeen, isPrivate, isRefused }} />
      </div>
    </>
  )
}

const phaseTexts: Readonly<Partial<Record<TrackState['phase'], Text>>> = {
  gap: 'No footage at this time',
  ended: 'No newer footage',
  refused: 'Not allowed',
}

function RecordedTile({ camera, session, count, isEnlarged, volume }: TileProps & { session: FootageSession }) {
  const { client } = useApplication()
  const t = useText()
  const [state, setState] = useState<TrackState>()
  const { cameraId, name } = camera
  const small = count > MOST_WHOLE_TILES ? 'many' : 'small'
  const text = state === undefined ? undefined : phaseTexts[state.phase]
  return (
    <>
      <FootagePicture
        {...{ client, session, cameraId, volume }}
        size={isEnlarged || count === 1 ? 'full' : small}
        label={t('Recorded picture of {camera}', { camera: name })}
        className={pictureClass}
        onState={setState}
      />
      {text === undefined ? null : <TileNotice text={t(text)} />}
      {state?.phase === 'unsupported' ? (
        <TileNotice text={t('This browser can’t show {codec}.', { codec: codecName(state.codec) })} />
      ) : null}
      <div className="pointer-events-none absolute start-2 top-2" data-phase={state?.phase ?? 'loading'}>
        <Badge mood="brand">{t('Recorded')}</Badge>
      </div>
    </>
  )
}

/** With more tiles, cameras without a sub-stream show their key pictures. */
const MOST_WHOLE_TILES = 4

const TileNotice = ({ text }: { text: string }) => (
  <Status className="pointer-events-none absolute inset-0 flex items-center justify-center bg-black/70 p-4 text-center text-sm text-white">
    {text}
  </Status>
)

/** The camera's name, sound, and the menu of the tile. */
function TileBar(props: TileProps) {
  const { camera, place, count, isEnlarged, volume, onEnlarge, onMove, onRemove, onListen } = props
  const t = useText()
  const { cameraId, name } = camera
  const moves: readonly MenuItem[] =
    count < 2 || isEnlarged
      ? []
      : [
          { label: t('Move back one place'), disabled: place === 0, onSelect: () => onMove(place - 1) },
          { label: t('Move forward one place'), disabled: place === count - 1, onSelect: () => onMove(place + 1) },
        ]
  const items: readonly MenuItem[] = [
    { label: t(isEnlarged ? 'Show all cameras' : 'Show only this camera'), icon: 'fullScreen', onSelect: onEnlarge },
    { label: t('Open camera page'), icon: 'camera', href: `/app/cameras/${cameraId}` },
    ...moves,
    { label: t('Remove from this view'), icon: 'close', disabled: count === 1, onSelect: onRemove },
  ]
  const sound = t(volume > 0 ? 'Sound off' : 'Sound on')
  return (
    <div className="absolute inset-x-0 bottom-0 flex items-center gap-1 bg-linear-to-t from-black/80 to-transparent ps-2 pt-4 text-white">
      <span className="min-w-0 flex-1 truncate text-sm">{name}</span>
      {onListen === undefined ? null : (
        <button
          type="button"
          title={sound}
          aria-label={`${sound}: ${name}`}
          onClick={(event) => {
            event.stopPropagation()
            onListen()
          }}
          onDoubleClick={(event) => event.stopPropagation()}
          className={stageToolClass}
        >
          <Icon name={volume > 0 ? 'volume' : 'volumeOff'} />
        </button>
      )}
      <Menu
        label={t('Actions for {camera}', { camera: name })}
        trigger={<Icon name="more" />}
        triggerClass={stageToolClass}
        items={items}
        align="end"
      />
    </div>
  )
}
