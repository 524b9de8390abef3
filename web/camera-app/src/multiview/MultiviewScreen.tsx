import { postCamera } from '@sightline/contract/camera-additions'
import { BODY_WORN, type Camera, type CameraStatus } from '@sightline/contract/cameras'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { soundRule, streamRules } from '@sightline/contract/streams'
import { Button, buttonClass, EmptyState, Icon, IconButton, Notice, Skeleton, SkeletonGroup } from '@sightline/kit'
import { canPlayTogether, type FootageSession, useSessionState } from '@sightline/player'
import { accountQueries, LoadFailed, useApplication, useMay, useOwnMember, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { browserLocale } from '../locale.ts'
import { useKeys } from '../use-keys.ts'
import { ChooseCameras } from './ChooseCameras.tsx'
import { MultiviewFootage, multiviewActions } from './MultiviewFootage.tsx'
import { MultiviewTile } from './MultiviewTile.tsx'
import { moveTile } from './multiview-address.ts'
import { useText } from './text.ts'
import { type MultiviewPosition, useMultiviewPosition } from './use-multiview-position.ts'

const none: readonly Camera[] = []

/** Up to nine cameras at once, live or at the same recorded time. */
export function MultiviewScreen() {
  const t = useText()
  const { client } = useApplication()
  const own = useOwnMember()
  const list = useQuery(cameraQueries(client).list)
  usePageTitle(t('Multiview'))
  const watchable = useMemo(
    () => (list.data ?? none).filter(({ deviceTypeId }) => deviceTypeId !== BODY_WORN),
    [list.data],
  )
  if (own.data !== undefined && getMemberDenyReason(streamRules.live, own.data) !== undefined) return <NotWatched />
  const failure = (own.data === undefined ? own.error : null) ?? (list.data === undefined ? list.error : null)
  if (failure !== null) return <LoadFailed error={failure} reset={() => void list.refetch()} />
  if (list.data === undefined || own.data === undefined) {
    return (
      <SkeletonGroup>
        <Skeleton className="mt-12 aspect-video max-h-[70dvh] w-full rounded-lg" />
      </SkeletonGroup>
    )
  }
  return watchable.length === 0 ? <NoCameras /> : <Multiview cameras={watchable} />
}

/** A support session without video, or a user without the right to watch. */
function NotWatched() {
  const t = useText()
  return (
    <EmptyState icon="eyeOff" isPage title={t('You can’t watch video here')}>
      {t('Your permissions don’t include live video, or the owner hid it from this support session.')}
    </EmptyState>
  )
}

function NoCameras() {
  const t = useText()
  const may = useMay()
  const add =
    may(postCamera) === true ? (
      <a href="/app/cameras/add" className={buttonClass('primary')}>
        {t('Add camera')}
      </a>
    ) : undefined
  return (
    <EmptyState icon="grid" isPage title={t('No cameras to watch yet')} {...(add === undefined ? {} : { action: add })}>
      {t('Cameras appear here once they are added.')}
    </EmptyState>
  )
}

function useTimeZone(): string {
  const { client } = useApplication()
  const zone = useQuery(accountQueries(client).timeZone).data?.timeZone
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

function Multiview({ cameras }: { cameras: readonly Camera[] }) {
  const t = useText()
  const { client } = useApplication()
  const stage = useRef<HTMLElement>(null)
  const place = useMultiviewPosition(cameras)
  const timeZone = useTimeZone()
  const statuses = useQuery(cameraQueries(client).statuses).data
  const mayPlayBack = useMay()(streamRules.playback)
  const shown = useMemo(
    () => place.cameraIds.flatMap((id) => cameras.find(({ cameraId }) => cameraId === id) ?? []),
    [place.cameraIds, cameras],
  )
  const [chosen, select] = useState<number>()
  const selected = shown.some(({ cameraId }) => cameraId === chosen) ? (chosen ?? 0) : (shown[0]?.cameraId ?? 0)
  useMultiviewKeys({ place, selected, stage, mayPlayBack })
  return (
    <div className="flex flex-col gap-3 lg:h-[calc(100dvh-3.75rem-2rem-var(--room-below))]">
      <Head cameras={cameras} place={place} onFullScreen={() => toggleFullScreen(stage.current)} />
      {place.use === 'playback' && !canPlayTogether() ? (
        <Notice mood="warning">
          {t(
            'This browser can play several recordings together only over a secure connection (https). Open one camera instead.',
          )}
        </Notice>
      ) : null}
      <Stage {...{ stage, place, shown, statuses, selected, timeZone }} onSelect={select} />
      {mayPlayBack === true ? <MultiviewFootage cameras={shown} {...{ timeZone, place, selected }} /> : null}
    </div>
  )
}

function toggleFullScreen(element: HTMLElement | null): void {
  // If the browser refuses full screen, the pictures stay as they are.
  const done = document.fullscreenElement === null ? element?.requestFullscreen() : document.exitFullscreen()
  done?.catch(() => undefined)
}

interface KeysGiven {
  place: MultiviewPosition
  selected: number
  stage: RefObject<HTMLElement | null>
  mayPlayBack: boolean | undefined
}

/** The same keys as on the page of one camera. */
function useMultiviewKeys({ place, selected, stage, mayPlayBack }: KeysGiven): void {
  const act = multiviewActions(place, selected)
  const arrow = (event: KeyboardEvent) => (event.shiftKey ? 60_000 : 10_000)
  useKeys({
    f: () => toggleFullScreen(stage.current),
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
}

interface HeadProps {
  cameras: readonly Camera[]
  place: MultiviewPosition
  onFullScreen: () => void
}

function Head({ cameras, place, onFullScreen }: HeadProps) {
  const t = useText()
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return (
    <header className="flex items-center gap-2">
      <h1 className="min-w-0 flex-1 truncate text-lg font-semibold tracking-tight">{t('Multiview')}</h1>
      <Button variant="secondary" onClick={open}>
        <Icon name="grid" />
        {t('Choose cameras')}
      </Button>
      <IconButton icon="fullScreen" label={t('Full screen')} onClick={onFullScreen} />
      {opened === undefined ? null : (
        <ChooseCameras
          key={opened.number}
          open={opened.isOpen}
          onClose={close}
          chosen={place.cameraIds}
          onChoose={place.setCameras}
          cameras={cameras}
        />
      )}
    </header>
  )
}

/** Columns by the number of tiles: as many as fit a window that is wider than high. */
const columns = ['', 'grid-cols-1', 'sm:grid-cols-2', 'grid-cols-2', 'grid-cols-2', 'grid-cols-2 sm:grid-cols-3']
const columnsOf = (count: number): string => columns[Math.min(count, columns.length - 1)] ?? ''
/** Rows in a wide window share its height. */
const rows = [
  '',
  'lg:grid-rows-1',
  'lg:grid-rows-1',
  'lg:grid-rows-2',
  'lg:grid-rows-2',
  'lg:grid-rows-2',
  'lg:grid-rows-2',
]
const rowsOf = (count: number): string => rows[count] ?? 'lg:grid-rows-3'

interface StageProps {
  stage: RefObject<HTMLElement | null>
  place: MultiviewPosition
  shown: readonly Camera[]
  statuses: ReadonlyMap<number, CameraStatus> | undefined
  selected: number
  timeZone: string
  onSelect: (cameraId: number) => void
}

function Stage({ stage, place, shown, statuses, selected, timeZone, onSelect }: StageProps) {
  const t = useText()
  const mayListen = useMay()(soundRule)
  const [enlarged, enlarge] = useState<number>()
  const [heard, hear] = useState<number>()
  const large = shown.find(({ cameraId }) => cameraId === enlarged)
  const tiles = large === undefined ? shown : [large]
  const { cameraIds, use, session } = place
  return (
    <section
      ref={stage}
      aria-label={t('Pictures')}
      className="relative overflow-hidden rounded-lg bg-black lg:min-h-0 lg:grow"
    >
      <ul className={`grid size-full gap-px ${columnsOf(tiles.length)} ${rowsOf(tiles.length)} max-lg:*:aspect-video`}>
        {tiles.map((camera) => {
          const { cameraId } = camera
          const isHeard = heard === cameraId
          return (
            <MultiviewTile
              key={cameraId}
              {...{ camera, use, session }}
              status={statuses?.get(cameraId)}
              place={cameraIds.indexOf(cameraId)}
              count={tiles.length}
              isSelected={tiles.length > 1 && selected === cameraId}
              isEnlarged={large !== undefined}
              volume={isHeard ? 0.8 : 0}
              onSelect={() => onSelect(cameraId)}
              onEnlarge={() => enlarge(large === undefined ? cameraId : undefined)}
              onMove={(to) => place.setCameras(moveTile(cameraIds, cameraId, to))}
              onRemove={() => place.setCameras(cameraIds.filter((id) => id !== cameraId))}
              onDrop={(dropped) => place.setCameras(moveTile(cameraIds, dropped, cameraIds.indexOf(cameraId)))}
              onListen={mayListen === true ? () => hear(isHeard ? undefined : cameraId) : undefined}
            />
          )
        })}
      </ul>
      {session === undefined ? null : <SessionClock {...{ session, timeZone }} />}
    </section>
  )
}

/** The one time that all pictures show. */
function SessionClock({ session, timeZone }: { session: FootageSession; timeZone: string }) {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const second = useSessionState(session, ({ time }) => Math.floor(time / 1000))
  const isWaiting = useSessionState(session, (state) => state.isWaiting)
  const t = useText()
  const format = useMemo(() => {
    const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
    const clock = { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
    return new Intl.DateTimeFormat(locale, { timeZone, ...date, ...clock, timeZoneName: 'short' })
  }, [locale, timeZone])
  return (
    <>
      <time
        data-session-time={second * 1000}
        dateTime={new Date(second * 1000).toISOString()}
        className="pointer-events-none absolute end-2 top-2 rounded-sm bg-black/70 px-2 py-0.5 text-xs text-white tabular-nums"
      >
        {format.format(second * 1000)}
      </time>
      {isWaiting ? (
        <div
          role="progressbar"
          aria-label={t('Waiting for the picture')}
          className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
        >
          <div className="absolute h-full w-1/3 animate-slide bg-white" />
        </div>
      ) : null}
    </>
  )
}
