import type { Camera } from '@sightline/contract/cameras'
import { type FootagePlayer, useFootageState } from '@sightline/player'
import { type ReactNode, useMemo, useState } from 'react'
import { useNow } from '../clock.ts'
import {
  DayPicker,
  GoToTime,
  type Marks,
  markedSpan,
  NO_MARKS,
  Timeline,
  type TimelineRow,
  useDay,
} from '../recordings/index.ts'
import { useText } from '../text.ts'
import { PlayControls } from './PlayControls.tsx'
import type { StageActions } from './stage-actions.ts'
import type { StagePosition } from './stage-position.ts'

/** What is watched, and what is selected in the timeline. */
export interface WatchedRange {
  readonly watched: number | undefined
  readonly marked: ReturnType<typeof markedSpan>
  /** Plays the footage of a time, in milliseconds since 1970. */
  readonly goTo: (time: number) => void
}

export interface StageFootageProps {
  cameras: readonly Camera[]
  timeZone: string
  position: StagePosition
  act: StageActions
  /** What else can be done with footage at a time. */
  tools: ((range: WatchedRange) => ReactNode) | undefined
  /** The buttons of several pictures; those of a single one are over it. */
  toolbar: ReactNode
}

const LIVE_RATES = [1]
/** Updates every quarter second are smooth enough and save drawing. */
const PLAYHEAD_STEP_MS = 250

/** Controls and timeline of the recordings. */
export function StageFootage(props: StageFootageProps) {
  const { position, act } = props
  const { player } = position
  if (position.use === 'playback' && player !== undefined) return <Recorded {...props} player={player} />
  const controls = (
    <PlayControls
      use={position.use}
      isPaused={false}
      rate={1}
      rates={LIVE_RATES}
      onRate={() => undefined}
      act={act}
      isOff={position.use === 'playback'}
    />
  )
  return <Below {...props} playhead={undefined} controls={controls} />
}

function Recorded({ player, ...props }: StageFootageProps & { player: FootagePlayer }) {
  const playhead = useFootageState(player, ({ time }) => Math.round(time / PLAYHEAD_STEP_MS) * PLAYHEAD_STEP_MS)
  const isPaused = useFootageState(player, (state) => state.isPaused)
  const rate = useFootageState(player, (state) => state.rate)
  const controls = (
    <PlayControls
      use="playback"
      {...{ isPaused, rate }}
      rates={player.rates}
      onRate={(value) => player.setRate(value)}
      act={props.act}
    />
  )
  return <Below {...props} playhead={playhead} controls={controls} />
}

interface BelowProps extends StageFootageProps {
  playhead: number | undefined
  controls: ReactNode
}

function Below({ cameras, timeZone, act, playhead, controls, tools, toolbar }: BelowProps) {
  const t = useText()
  const now = useNow()
  const { date, today, day, choose } = useDay({ timeZone, playhead, now })
  const isAlone = cameras.length === 1
  const rows = useMemo(
    () => cameras.map(({ cameraId, name }): TimelineRow => (isAlone ? { cameraId } : { cameraId, name })),
    [cameras, isAlone],
  )
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const selection = tools === undefined ? {} : { marks, onMarks: setMarks }
  return (
    <section className="space-y-2" aria-label={t('Footage')}>
      <Timeline
        {...{ day, timeZone, now, playhead, rows, ...selection }}
        onPick={act.pick}
        onDay={choose}
        tools={
          <>
            {controls}
            <span className="flex items-center gap-2 max-sm:order-last max-sm:gap-1 max-sm:ms-auto sm:ms-auto short:order-last short:ms-0">
              {tools?.({ watched: playhead, marked: markedSpan(marks), goTo: act.pick })}
              {toolbar}
            </span>
            {/* Playback is in the first row, what moves the timeline in the second, right above it. */}
            <span aria-hidden="true" className="basis-full short:hidden" />
            <DayPicker date={date} today={today} onChange={choose} />
            <GoToTime {...{ date, timeZone, now }} onPick={act.pick} />
            <span aria-hidden="true" className="basis-full sm:hidden short:hidden" />
          </>
        }
      />
    </section>
  )
}
