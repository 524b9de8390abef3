import { ApiFailure } from '@sightline/client'
import { getCameraLogs } from '@sightline/contract/camera-logs'
import { BODY_WORN, type Camera, deleteCamera } from '@sightline/contract/cameras'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { soundRule, streamRules } from '@sightline/contract/streams'
import { Icon, IconButton, Skeleton, SkeletonGroup } from '@sightline/kit'
import type { CameraView } from '@sightline/player'
import { accountQueries, LoadFailed, useApplication, useMay, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useCanGoBack, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ControlsPanel, type QuickControls, useControls } from '../camera-controls/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { CameraModeControl } from '../mode-controls.ts'
import { localDate, timeOfDay } from '../recordings/index.ts'
import { useOwnPermissions } from '../rights/index.ts'
import { tabsOfRights } from '../settings-tabs.ts'
import { NothingHere } from '../shell/NothingHere.tsx'
import { type Translate, useText } from '../text.ts'
import { useKeys } from '../use-keys.ts'
import { CameraWarnings } from '../warning-list.ts'
import { Footage } from './Footage.tsx'
import { Stage, SubStreamNotice } from './Stage.tsx'
import type { StageTool } from './StageTools.tsx'
import { usePlaybackPosition } from './use-playback-position.ts'
import { usePlayer } from './use-player.ts'
import { type PtzOffer, usePtz } from './use-ptz.ts'
import { useSound } from './use-sound.ts'

/** Saves the current picture, named after the camera and the time of the picture; false if there is none. */
async function savePicture(view: CameraView, name: string, timeZone: string): Promise<boolean> {
  const time = view.state.wallclock ?? Date.now()
  const picture = await view.capture()
  if (picture === undefined) return false
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = `${name} ${localDate(time, timeZone)} ${timeOfDay(time, timeZone).replaceAll(':', '.')}.png`
  link.click()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  return true
}

/** For a camera that doesn't exist or isn't accessible. The page doesn't say which. */
function NoSuchCamera() {
  const t = useText()
  return <NothingHere title={t("Camera not found, or you don't have access to it")} />
}

// Few people use support sessions, so this loads on demand.
const HiddenVideo = lazy(() =>
  import('../support-sessions/index.ts').then((module) => ({ default: module.HiddenVideo })),
)

// Few cameras are worn on a body, so this loads on demand.
const BodyCamera = lazy(() => import('../body-cameras/index.ts').then((module) => ({ default: module.BodyCamera })))

// Few cameras fail to be added, so this loads on demand.
const NotAdded = lazy(() => import('../camera-additions/index.ts').then((module) => ({ default: module.NotAdded })))

const RemoveCamera = lazy(() =>
  import('../camera-additions/index.ts').then((module) => ({ default: module.RemoveCamera })),
)

// Few cameras can be moved, so this loads on demand.
const PtzPanel = lazy(() => import('../camera-ptz/index.ts').then((module) => ({ default: module.PtzPanel })))

const useCamera = ({ cameraId, timeZone }: Camera) => {
  const { client } = useApplication()
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const account = accountQueries(client)
  const may = useMay()
  const accountZone = useQuery(account.timeZone).data?.timeZone
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    status,
    mayPlayBack: may(streamRules.playback),
    mayListen: may(soundRule),
    timeZone: timeZone ?? accountZone ?? deviceZone,
  }
}

// Few people open it, so this loads on demand.
const KeyHelp = lazy(() => import('./KeyHelp.tsx').then((module) => ({ default: module.KeyHelp })))

function toggleFullScreen(element: HTMLElement | null): void {
  // If the browser refuses full screen, the picture stays as it is.
  const done = document.fullscreenElement === null ? element?.requestFullscreen() : document.exitFullscreen()
  done?.catch(() => undefined)
}

/**
 * The focused element disappeared with the previous screen. The heading gets the focus, so that keyboard users continue
 * from there.
 */
function useFocusedHeading() {
  const ref = useRef<HTMLHeadingElement>(null)
  const cameFromHere = useCanGoBack()
  useEffect(() => {
    if (cameFromHere && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [cameFromHere])
  return ref
}

/** One camera: its live picture, and the footage of a day below it. */
export function CameraScreen() {
  const { cameraId: text } = useParams({ from: '/signed-in/cameras/$cameraId' })
  if (!/^\d{1,15}$/.test(text)) return <NoSuchCamera />
  // Another camera is another screen, so no state of the previous one may remain.
  return <KnownCamera key={text} cameraId={Number(text)} />
}

/**
 * Requests nothing else about a camera until it is known to exist, and neither video nor footage until the user's rights
 * are known: a support session without video gets neither.
 */
function KnownCamera({ cameraId }: { cameraId: number }) {
  const { client, queries } = useApplication()
  const { list, camera: one } = cameraQueries(client)
  const own = useOwnMember()
  // After the list, the data is already cached.
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const listed = queries.getQueryData(list.queryKey)?.find((candidate) => candidate.cameraId === cameraId)
  const { data: camera, error, refetch } = useQuery({ ...one(cameraId), placeholderData: listed })
  if (error instanceof ApiFailure && error.status === 404) return <NoSuchCamera />
  if (camera !== undefined && status?.additionStatus === 'failure') {
    return (
      <Suspense fallback={null}>
        <NotAdded camera={camera} status={status} />
      </Suspense>
    )
  }
  if (camera?.deviceTypeId === BODY_WORN) {
    return (
      <Suspense fallback={null}>
        <BodyCamera camera={camera} />
      </Suspense>
    )
  }
  if (camera !== undefined && own.data !== undefined) {
    const isHidden = getMemberDenyReason(streamRules.live, own.data)?.check === 'support'
    return isHidden ? <HiddenCamera camera={camera} /> : <OneCamera camera={camera} />
  }
  const failure = camera === undefined ? error : own.error
  if (failure !== null) {
    const again = () => {
      void refetch()
      own.refetch()
    }
    return <LoadFailed error={failure} reset={again} />
  }
  return (
    <SkeletonGroup>
      <Skeleton className="mt-12 aspect-video max-h-[70dvh] w-full rounded-lg" />
    </SkeletonGroup>
  )
}

/** A link back, the camera's name, and a link to its log. */
function Head({ camera }: { camera: Camera }) {
  const { cameraId, name } = camera
  const t = useText()
  const [removing, setRemoving] = useState<'never' | 'open' | 'closed'>('never')
  const may = useMay()
  const own = useOwnPermissions().data
  const { client } = useApplication()
  const status = useQuery(cameraQueries(client).statuses).data?.get(cameraId)
  const heading = useFocusedHeading()
  return (
    // On a phone the mode has a row of its own, so that the name of the camera has room.
    <header className="flex items-center gap-2 max-sm:flex-wrap [@media(height<30rem)]:h-8 [@media(height<30rem)]:flex-nowrap">
      <a
        data-here
        href="/app/"
        aria-label={t('All cameras')}
        title={t('All cameras')}
        className="-ms-2 inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      >
        <Icon name="chevronLeft" mirrored />
      </a>
      <h1 ref={heading} tabIndex={-1} className="min-w-0 flex-1 truncate text-lg font-semibold tracking-tight">
        {name}
      </h1>
      <div className="flex items-center gap-2 empty:hidden max-sm:order-last max-sm:basis-full [@media(height<30rem)]:order-none [@media(height<30rem)]:basis-auto">
        <Suspense fallback={null}>
          <CameraModeControl camera={camera} status={status} />
        </Suspense>
      </div>
      {may(getCameraLogs) === true ? (
        <a
          data-here
          href={`/app/cameras/${cameraId}/logs`}
          aria-label={t('Camera log')}
          title={t('Camera log')}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Icon name="list" mirrored />
        </a>
      ) : null}
      {own === undefined || tabsOfRights(own.rights).length === 0 ? null : (
        <a
          data-here
          href={`/app/cameras/${cameraId}/settings`}
          aria-label={t('Camera settings')}
          title={t('Camera settings')}
          className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
        >
          <Icon name="settings" />
        </a>
      )}
      {may(deleteCamera) === true ? (
        <IconButton icon="trash" label={t('Remove camera')} onClick={() => setRemoving('open')} />
      ) : null}
      {removing === 'never' ? null : (
        <Suspense fallback={null}>
          <RemoveCamera camera={camera} open={removing === 'open'} onClose={() => setRemoving('closed')} />
        </Suspense>
      )}
    </header>
  )
}

function HiddenCamera({ camera }: { camera: Camera }) {
  usePageTitle(camera.name)
  return (
    <div className="flex flex-col gap-3">
      <Head camera={camera} />
      <Suspense fallback={null}>
        <HiddenVideo camera={camera} />
      </Suspense>
    </div>
  )
}

const moveTools = ({ capabilities, isOpen, toggle }: PtzOffer, t: Translate): readonly StageTool[] =>
  capabilities === undefined ? [] : [{ icon: 'move', label: t('Move camera'), pressed: isOpen, onPress: toggle }]

const controlTools = ({ offer, isOpen, toggle }: QuickControls, t: Translate): readonly StageTool[] =>
  offer === undefined ? [] : [{ icon: 'sun', label: t('Camera controls'), pressed: isOpen, onPress: toggle }]

interface LightPanelProps {
  cameraId: number
  controls: QuickControls
  ptz: PtzOffer
  isBelow: boolean
}

/** Lamp, exposure, focus and microphone, if they are open and have their place here. */
function LightPanel({ cameraId, controls: { isOpen, offer }, ptz, isBelow }: LightPanelProps) {
  if (!isOpen || offer === undefined || ptz.isBelow !== isBelow) return null
  return (
    <Suspense fallback={null}>
      <ControlsPanel cameraId={cameraId} offer={offer} />
    </Suspense>
  )
}

interface MovePanelProps {
  cameraId: number
  view: CameraView | undefined
  layer: HTMLElement | null
  ptz: PtzOffer
  isBelow: boolean
}

/** The controls that move the camera, if they are open and have their place here. */
function MovePanel({ ptz, isBelow, ...rest }: MovePanelProps) {
  const { capabilities } = ptz
  if (!ptz.isOpen || capabilities === undefined || ptz.isBelow !== isBelow) return null
  return (
    <Suspense fallback={null}>
      <PtzPanel {...rest} capabilities={capabilities} />
    </Suspense>
  )
}

function OneCamera({ camera }: { camera: Camera }) {
  const { cameraId, name } = camera
  const { snackBar } = useApplication()
  const t = useText()
  const stage = useRef<HTMLElement>(null)
  const [view, setView] = useState<CameraView>()
  const [withDetails, showDetails] = useState(false)
  const [helping, setHelping] = useState<'never' | 'open' | 'closed'>('never')
  const { status, mayPlayBack, mayListen, timeZone } = useCamera(camera)
  const place = usePlaybackPosition(view)
  const player = usePlayer(view, place)
  const sound = useSound({ view, status, mayListen })
  const ptz = usePtz({ cameraId, status, isLive: place.use === 'live' })
  const controls = useControls({ cameraId, status, isLive: place.use === 'live' })
  const lighting = { cameraId, controls, ptz }
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  const moving = { cameraId, view, layer, ptz }
  usePageTitle(name)
  const save = async () => {
    if (view === undefined || !(await savePicture(view, name, timeZone))) snackBar.info(t('No picture yet'))
  }
  const tools: readonly StageTool[] = [
    ...moveTools(ptz, t),
    ...controlTools(controls, t),
    { icon: 'download', label: t('Save this picture'), onPress: () => void save() },
    { icon: 'info', label: t('Technical details'), pressed: withDetails, onPress: () => showDetails(!withDetails) },
    { icon: 'help', label: t('Keyboard shortcuts'), forKeyboard: true, onPress: () => setHelping('open') },
    { icon: 'fullScreen', label: t('Full screen'), onPress: () => toggleFullScreen(stage.current) },
  ]
  const { act } = player
  const arrow = (event: KeyboardEvent) => (event.shiftKey ? 60_000 : 10_000)
  useKeys({
    f: () => toggleFullScreen(stage.current),
    s: () => void save(),
    m: sound.toggle,
    d: () => showDetails(!withDetails),
    '?': () => setHelping('open'),
    ...(mayPlayBack === true
      ? {
          ' ': act.toggle,
          k: act.toggle,
          j: () => act.skip(-10_000),
          l: () => act.skip(10_000),
          v: act.live,
          ',': () => act.step(-1),
          '.': () => act.step(1),
          arrowleft: (event: KeyboardEvent) => act.skip(-arrow(event)),
          arrowright: (event: KeyboardEvent) => act.skip(arrow(event)),
        }
      : {}),
  })
  return (
    <div className="flex flex-col gap-3 [@media(height<30rem)]:gap-1 lg:h-[calc(100dvh-3.75rem-2rem-var(--room-below))]">
      <Head camera={camera} />
      {status === undefined || status.warnings.length === 0 ? null : (
        <Suspense fallback={null}>
          <CameraWarnings cameras={[camera]} statuses={new Map([[cameraId, status]])} isOfOne />
        </Suspense>
      )}
      <Stage
        {...{ camera, status, timeZone, place, view, withDetails, tools, sound }}
        ref={stage}
        onView={setView}
        onLive={act.live}
      >
        <div ref={setLayer} className="pointer-events-none absolute inset-0" />
        <div className="absolute end-2 bottom-14 z-10 flex flex-col items-end gap-2">
          <LightPanel {...lighting} isBelow={false} />
          <MovePanel {...moving} isBelow={false} />
        </div>
      </Stage>
      <LightPanel {...lighting} isBelow />
      <MovePanel {...moving} isBelow />
      <SubStreamNotice view={view} />
      <Footage {...{ camera, timeZone, mayPlayBack, view, player }} opened={place.opened} />
      {helping === 'never' ? null : (
        <Suspense fallback={null}>
          <KeyHelp
            open={helping === 'open'}
            onClose={() => setHelping('closed')}
            withPlayback={mayPlayBack === true}
            withMoving={ptz.capabilities !== undefined}
          />
        </Suspense>
      )}
    </div>
  )
}
