import type { Camera } from '@sightline/contract/cameras'
import { soundRule, streamRules } from '@sightline/contract/streams'
import { canPlayByClock, type PictureView, useViewState } from '@sightline/player'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useControls } from '../camera-controls/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { CameraPanels, panelTools } from './CameraPanels.tsx'
import { FootagePart } from './FootagePart.tsx'
import type { KeyHelpProps } from './KeyHelp.tsx'
import { PictureClock } from './PictureClock.tsx'
import { SoundControl } from './SoundControl.tsx'
import { type StageTool, StageTools, stageToolClass } from './StageTools.tsx'
import { SubStreamNotice } from './SubStreamNotice.tsx'
import { savePicture } from './save-picture.ts'
import { type StageActions, useStageActions } from './stage-actions.ts'
import type { StagePosition } from './stage-position.ts'
import type { Arrangement } from './TileBar.tsx'
import { Tiles } from './Tiles.tsx'
import { useText } from './text.ts'
import { type FullScreen, useFullScreen } from './use-full-screen.ts'
import { usePtz } from './use-ptz.ts'
import { type TileSelection, useSelection } from './use-selection.ts'
import { useSound } from './use-sound.ts'
import { useStageKeys } from './use-stage-keys.ts'
import { useTalkOffer } from './use-talk-offer.ts'

export interface StageProps {
  /** One to nine, in the order of the tiles. */
  cameras: readonly Camera[]
  position: StagePosition
  timeZone: string
  /** How the page arranges several cameras; without it the page shows a single one. */
  arrangement?: Arrangement
}

// These load with footage.
const FootageOverlays = lazy(() =>
  import('./FootageOverlays.tsx').then((module) => ({ default: module.FootageOverlays })),
)
const MissingAbility = lazy(() =>
  import('./FootageOverlays.tsx').then((module) => ({ default: module.MissingAbility })),
)
// Few people open these, so they load on demand.
const DebugOverlay = lazy(() => import('./DebugOverlay.tsx').then((module) => ({ default: module.DebugOverlay })))
const TalkButton = lazy(() => import('../talking/index.ts').then((module) => ({ default: module.TalkButton })))
const KeyHelp = lazy(() => import('./KeyHelp.tsx').then((module) => ({ default: module.KeyHelp })))

/** How loud the camera is while the user talks, so that its microphone hears less of itself. */
const WHILE_TALKING = 0.1

/** What the selected camera offers to this user. */
function useSelectedCamera({ selected, view }: TileSelection, isLive: boolean) {
  const { client } = useApplication()
  const statuses = useQuery(cameraQueries(client).statuses).data
  const may = useMay()
  const cameraId = selected?.cameraId ?? 0
  const status = statuses?.get(cameraId)
  const sound = useSound({ view, status, mayListen: may(soundRule) })
  const ptz = usePtz({ cameraId, status, isLive })
  const controls = useControls({ cameraId, status, isLive })
  const mayTalk = useTalkOffer({ cameraId, status, isLive })
  return { cameraId, statuses, status, sound, ptz, controls, mayTalk, mayPlayBack: may(streamRules.playback) }
}

/** Pictures, controls and timeline of one to nine cameras, live or at one recorded time. Dark, whatever the theme. */
export function Stage(props: StageProps) {
  const { cameras, position, timeZone, arrangement } = props
  const t = useText()
  const { snackBar } = useApplication()
  const selection = useSelection(cameras)
  const { selected, shown, view } = selection
  const own = useSelectedCamera(selection, position.use === 'live')
  const { cameraId, ptz, controls, sound } = own
  const act = useStageActions(position, cameraId)
  const full = useFullScreen()
  const [withDetails, showDetails] = useState(false)
  const [isTalking, setTalking] = useState(false)
  const [helping, setHelping] = useState<HelpProps['state']>('never')
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  const save = async () => {
    const isSaved = view !== undefined && (await savePicture(view, selected?.name ?? '', timeZone))
    if (!isSaved) snackBar.info(t('No picture yet'))
  }
  const isSeveral = cameras.length > 1
  const keys = {
    onFullScreen: full.toggle,
    onSave: () => void save(),
    onSound: sound.toggle,
    onDetails: () => showDetails(!withDetails),
    onHelp: () => setHelping('open'),
  }
  useStageKeys({
    ...{ ...keys, act, mayPlayBack: own.mayPlayBack },
    ...keysOfTiles({ full, selection, cameras }),
  })
  const buttons: readonly StageTool[] = [
    ...panelTools({ ptz, controls }, t),
    { icon: 'savePicture', label: t('Save this picture'), onPress: keys.onSave },
    { icon: 'info', label: t('Technical details'), pressed: withDetails, onPress: keys.onDetails },
    { icon: 'help', label: t('Keyboard shortcuts'), forKeyboard: true, onPress: keys.onHelp },
    { icon: 'fullScreen', label: t('Full screen'), pressed: full.isFull, onPress: full.toggle },
  ]
  const panels = { cameraId, controls, ptz, view, layer }
  const isOne = shown.length === 1
  const toolbar = (
    <StageTools tools={buttons} isOver={isOne}>
      <SoundControl sound={sound} />
      <Talking camera={own.mayTalk ? selected : undefined} view={view} onTalking={setTalking} />
    </StageTools>
  )
  return (
    <div data-scheme="dark" data-full={full.isFull} className={frameClass(full.isFull)}>
      <section aria-label={t(isSeveral ? 'Pictures' : 'Picture')} className={picturesClass(isOne, full.isFull)}>
        <Tiles
          {...{
            selection,
            position,
            arrangement,
            statuses: own.statuses,
            volume: isTalking ? sound.heard * WHILE_TALKING : sound.heard,
            layer: setLayer,
          }}
          cameras={cameras}
        />
        <Overlays {...{ position, view, timeZone, act, cameras: shown }} />
        <Suspense fallback={null}>
          {withDetails ? <DebugOverlay view={view} name={isSeveral ? selected?.name : undefined} /> : null}
        </Suspense>
        <div className="pointer-events-none absolute end-2 bottom-14 z-10 flex flex-col items-end gap-2 *:pointer-events-auto short:top-2 short:bottom-auto">
          <CameraPanels {...panels} isBelow={false} />
        </div>
        {isOne ? toolbar : null}
      </section>
      <CameraPanels {...panels} isBelow />
      <SubStreamNotice view={view} />
      {position.use === 'live' || canPlayByClock() ? null : (
        <Suspense fallback={null}>
          <MissingAbility isSeveral={isSeveral} />
        </Suspense>
      )}
      <div className={isOne ? overPictureClass : ''}>
        <FootagePart
          {...{ cameras: shown, timeZone, position, act, mayPlayBack: own.mayPlayBack }}
          toolbar={isOne ? null : toolbar}
        />
      </div>
      <Help
        state={helping}
        onClose={() => setHelping('closed')}
        withPlayback={own.mayPlayBack === true}
        withMoving={ptz.capabilities !== undefined}
        withTalking={own.mayTalk}
        withSeveral={isSeveral}
      />
    </div>
  )
}

interface TalkingProps {
  /** Undefined where the user can't talk. */
  camera: Camera | undefined
  view: TileSelection['view']
  onTalking: (isTalking: boolean) => void
}

function Talking({ camera, view, onTalking }: TalkingProps) {
  const isBusy = useViewState(view, (state) => state.isTalking === true)
  if (camera === undefined) return null
  return (
    <Suspense fallback={null}>
      <TalkButton
        {...{ isBusy, onTalking }}
        cameraId={camera.cameraId}
        cameraName={camera.name}
        toolClass={stageToolClass}
      />
    </Suspense>
  )
}

interface HelpProps extends Omit<KeyHelpProps, 'open'> {
  state: 'never' | 'open' | 'closed'
}

function Help({ state, ...props }: HelpProps) {
  if (state === 'never') return null
  return (
    <Suspense fallback={null}>
      <KeyHelp {...props} open={state === 'open'} />
    </Suspense>
  )
}

/** A phone held sideways has the controls of a single camera over its picture. */
const overPictureClass =
  'short:absolute short:inset-x-0 short:bottom-0 short:rounded-b-lg short:bg-linear-to-t short:from-black short:via-black/75 short:via-75% short:to-transparent short:px-2 short:pt-10'

/** On a phone the pictures reach from edge to edge. */
const frameClass = (isFull: boolean) =>
  `flex flex-col gap-2 bg-canvas text-text ${
    isFull
      ? 'fixed inset-0 z-30 overflow-y-auto p-2 max-sm:px-0 max-sm:[&>:not(section)]:mx-2'
      : 'relative min-h-0 rounded-lg p-2 max-sm:-mx-3 max-sm:rounded-none max-sm:px-0 max-sm:pt-0 lg:grow max-sm:[&>:not(section)]:mx-2 short:h-[calc(100dvh-5.75rem-var(--room-below))] short:p-0'
  }`

/** The pictures take the room that is left. A phone held sideways has the timeline over the picture of a single camera. */
function picturesClass(isOne: boolean, isFull: boolean): string {
  const base = 'relative w-full overflow-hidden rounded-lg bg-black max-sm:rounded-none'
  if (isFull) return `${base} min-h-44 grow`
  const wide = 'lg:min-h-0 lg:grow short:min-h-0 short:grow'
  const upright = isOne ? 'max-lg:not-short:aspect-video max-lg:max-h-[70dvh] short:max-h-none' : ''
  return `${base} ${wide} ${upright}`
}

interface TileKeys {
  full: FullScreen
  selection: TileSelection
  cameras: readonly Camera[]
}

/** Escape leaves full screen first, then the camera that is shown alone. */
function keysOfTiles({ full, selection, cameras }: TileKeys) {
  const { selected, enlarged, toggleEnlarged } = selection
  const enlarge = () => toggleEnlarged(selected?.cameraId ?? 0)
  const isSeveral = cameras.length > 1
  const select = (place: number) => {
    const camera = cameras[place]
    if (camera !== undefined) selection.select(camera.cameraId)
  }
  return {
    onSelect: isSeveral && enlarged === undefined ? select : undefined,
    onEnlarge: isSeveral ? enlarge : undefined,
    onEscape: full.isFull ? full.leave : enlarged && enlarge,
  }
}

interface OverlaysProps {
  position: StagePosition
  view: PictureView | undefined
  timeZone: string
  act: StageActions
  cameras: readonly Camera[]
}

/** What is over all pictures: the time, what was skipped, the end. */
function Overlays({ position, view, timeZone, act, cameras }: OverlaysProps) {
  const { use, player } = position
  const isAlone = cameras.length === 1
  return (
    <>
      <div className="pointer-events-none absolute end-2 top-2">
        {use === 'live' && isAlone ? <PictureClock view={view} timeZone={timeZone} /> : null}
      </div>
      {use === 'playback' && player !== undefined ? (
        <Suspense fallback={null}>
          <FootageOverlays {...{ player, timeZone, cameras }} onLive={act.live} />
        </Suspense>
      ) : null}
    </>
  )
}
