import type { Camera } from '@sightline/contract/cameras'
import { streamRules } from '@sightline/contract/streams'
import { Button, Icon, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type CameraView, useViewState } from '@sightline/player'
import { useMay } from '@sightline/shell'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNow } from '../clock.ts'
import { DayPicker, GoToTime, type Marks, markedSpan, NO_MARKS, Timeline, useDay } from '../recordings/index.ts'
import { useText } from '../text.ts'
import { PlayControls } from './PlayControls.tsx'
import type { Player } from './use-player.ts'

interface FootageProps {
  camera: Camera
  timeZone: string
  /** Undefined until it is known. */
  mayPlayBack: boolean | undefined
  view: CameraView | undefined
  player: Player
  opened: number | undefined
}

/** Updates every quarter second are smooth enough and save drawing. */
const PLAYHEAD_STEP_MS = 250

/** Controls and timeline of the recordings. */
export function Footage(props: FootageProps) {
  const t = useText()
  if (props.mayPlayBack === false) {
    return (
      <p className="rounded-md bg-sunken px-4 py-3 text-muted" data-no-playback>
        {t('You don’t have permission to watch footage. Ask the account owner.')}
      </p>
    )
  }
  if (props.mayPlayBack === undefined) {
    return (
      <SkeletonGroup className="space-y-3">
        <Skeleton className="h-10 w-72" />
        <Skeleton className="h-16" />
      </SkeletonGroup>
    )
  }
  return <DayOfFootage {...props} />
}

const DownloadClip = lazy(() => import('../clips/index.ts').then((module) => ({ default: module.DownloadClip })))

const FootageMenu = lazy(() => import('../footage-ranges/index.ts').then((module) => ({ default: module.FootageMenu })))

interface RangeProps {
  camera: Camera
  timeZone: string
  watched: number | undefined
  marked: ReturnType<typeof markedSpan>
}

/** A button that opens the dialog; each time it opens, it begins with what is watched or selected then. */
function Download(props: RangeProps) {
  const t = useText()
  const [opened, setOpened] = useState<{ readonly number: number; readonly isOpen: boolean }>()
  const open = () => setOpened((before) => ({ number: (before?.number ?? 0) + 1, isOpen: true }))
  const close = () => setOpened((before) => before && { ...before, isOpen: false })
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t('Download footage')}
        title={t('Download footage')}
        onClick={open}
        className="px-3!"
      >
        <Icon name="download" />
        <span className="max-sm:sr-only">{t('Download')}</span>
      </Button>
      {opened === undefined ? null : (
        <Suspense fallback={null}>
          <DownloadClip key={opened.number} {...props} open={opened.isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const RATES = [0.5, 1, 2, 4, 8]

function ControlsOfView({ view, player }: Pick<FootageProps, 'view' | 'player'>) {
  const isPaused = useViewState(view, (state) => state.phase === 'paused')
  const rate = useViewState(view, (state) => state.rate)
  return <PlayControls {...player} {...{ isPaused, rate }} rates={RATES} onRate={(value) => view?.setRate(value)} />
}

function DayOfFootage({ camera, timeZone, view, player, opened }: FootageProps) {
  const { cameraId } = camera
  const mayDownload = useMay()(streamRules.mp4)
  const t = useText()
  const now = useNow()
  const shown = useViewState(view, ({ wallclock }) =>
    wallclock === undefined ? undefined : Math.round(wallclock / PLAYHEAD_STEP_MS) * PLAYHEAD_STEP_MS,
  )
  const playhead = player.use === 'playback' ? (shown ?? opened) : undefined
  const { date, today, day, choose } = useDay({ timeZone, playhead, now })
  const rows = useMemo(() => [{ cameraId }], [cameraId])
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const range = { camera, timeZone, watched: playhead, marked: markedSpan(marks) }
  const { pick } = player.act
  return (
    <section className="space-y-2" aria-label={t('Footage')}>
      <Timeline
        {...{ day, timeZone, now, playhead, rows, marks }}
        onPick={pick}
        onMarks={setMarks}
        onDay={choose}
        tools={
          <>
            <ControlsOfView view={view} player={player} />
            {/* If one row is too narrow, the day controls go to the second one. */}
            <span aria-hidden="true" className="basis-full lg:hidden" />
            <DayPicker date={date} today={today} onChange={choose} />
            <GoToTime {...{ date, timeZone, now }} onPick={pick} />
            {mayDownload === true ? <Download {...range} /> : null}
            <Suspense fallback={null}>
              <FootageMenu {...range} />
            </Suspense>
          </>
        }
      />
    </section>
  )
}
