import type { Camera } from '@sightline/contract/cameras'
import { type FootageSession, useSessionState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useMemo } from 'react'
import { useNow } from '../clock.ts'
import { browserLocale } from '../locale.ts'
import { DayPicker, GoToTime, skippedText, Timeline, type TimelineRow, useDay } from '../recordings/index.ts'
import { PlayControls } from '../streams/index.ts'
import { useText } from './text.ts'
import type { MultiviewPosition } from './use-multiview-position.ts'

interface MultiviewFootageProps {
  cameras: readonly Camera[]
  timeZone: string
  place: MultiviewPosition
  /** The camera whose pictures are stepped through. */
  selected: number
}

const LIVE_RATES = [1]
const RATES = [-16, -8, -4, -2, -1, 0.5, 1, 2, 4, 8, 16]
/** The latest footage reaches the disk after about this time. */
const SETTLING_MS = 2000

/** Controls and timeline for all cameras of the view. */
export function MultiviewFootage(props: MultiviewFootageProps) {
  const { place } = props
  if (place.session === undefined)
    return <Below {...props} playhead={undefined} controls={<LiveControls place={place} />} />
  return <Recorded {...props} session={place.session} />
}

function Recorded(props: MultiviewFootageProps & { session: FootageSession }) {
  const { session, place, selected } = props
  const playhead = useSessionState(session, ({ time }) => Math.round(time / 250) * 250)
  return (
    <>
      <Skipped {...props} />
      <Below {...props} playhead={playhead} controls={<RecordedControls {...{ session, place, selected }} />} />
    </>
  )
}

export function multiviewActions(place: MultiviewPosition, selected: number) {
  const { session } = place
  const pick = (time: number) => place.goTo(Math.round(Math.min(time, Date.now() - SETTLING_MS)))
  return {
    pick,
    live: () => {
      if (session !== undefined) place.goLive()
    },
    skip: (byMs: number) => {
      if (byMs < 0 || session !== undefined) pick((session?.state.time ?? Date.now()) + byMs)
    },
    toggle: () => {
      if (session === undefined) return
      session.setPaused(!session.state.isPaused)
      if (session.state.isPaused) place.remember(session.state.time)
    },
    step: (frames: number) => {
      session?.step(frames, selected)
    },
  }
}

function LiveControls({ place }: { place: MultiviewPosition }) {
  return (
    <PlayControls
      use="live"
      isPaused={false}
      rate={1}
      rates={LIVE_RATES}
      onRate={() => undefined}
      act={multiviewActions(place, 0)}
    />
  )
}

type ControlsProps = Pick<MultiviewFootageProps, 'place' | 'selected'> & { session: FootageSession }

function RecordedControls({ session, place, selected }: ControlsProps) {
  const isPaused = useSessionState(session, (state) => state.isPaused)
  const rate = useSessionState(session, (state) => state.rate)
  return (
    <PlayControls
      use="playback"
      {...{ isPaused, rate }}
      rates={RATES}
      onRate={(value) => session.setRate(value)}
      act={multiviewActions(place, selected)}
    />
  )
}

function Skipped({ session, timeZone }: MultiviewFootageProps & { session: FootageSession }) {
  const t = useText()
  const { languages } = useApplication()
  const skipped = useSessionState(session, (state) => state.skipped)
  const isNear = useSessionState(session, ({ skipped: gap, time }) => gap !== undefined && time - gap.till < 6000)
  const isAtEnd = useSessionState(session, (state) => state.isAtEnd)
  const locale = browserLocale(languages.current())
  return (
    <p role="status" className="text-sm text-muted empty:hidden">
      {isAtEnd ? t('End of the footage.') : null}
      {!isAtEnd && isNear && skipped !== undefined ? skippedText(skipped, { timeZone, locale }, t) : null}
    </p>
  )
}

interface BelowProps extends MultiviewFootageProps {
  playhead: number | undefined
  controls: React.ReactNode
}

function Below({ cameras, timeZone, place, selected, playhead, controls }: BelowProps) {
  const t = useText()
  const now = useNow()
  const { date, today, day, choose } = useDay({ timeZone, playhead, now })
  const rows = useMemo(() => cameras.map(({ cameraId, name }): TimelineRow => ({ cameraId, name })), [cameras])
  const { pick } = multiviewActions(place, selected)
  return (
    <section className="space-y-2" aria-label={t('Footage')}>
      <Timeline
        {...{ day, timeZone, now, playhead, rows }}
        onPick={pick}
        onDay={choose}
        tools={
          <>
            {controls}
            <span aria-hidden="true" className="basis-full lg:hidden" />
            <DayPicker date={date} today={today} onChange={choose} />
            <GoToTime {...{ date, timeZone, now }} onPick={pick} />
          </>
        }
      />
    </section>
  )
}
