import type { Camera } from '@sightline/contract/cameras'
import { type FootagePlayer, useFootageState } from '@sightline/player'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
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

// The timeline comes before what can be done with footage.
const FootageTools = lazy(() => import('./FootageTools.tsx').then((module) => ({ default: module.FootageTools })))

export interface StageFootageProps {
  cameras: readonly Camera[]
  timeZone: string
  position: StagePosition
  act: StageActions
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
  // The selection stays when live video is watched meanwhile.
  const [marks, onMarks] = useState<Marks>(NO_MARKS)
  const selection = { marks, onMarks }
  if (position.use === 'playback' && player !== undefined)
    return <Recorded {...props} player={player} selection={selection} />
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
  return <Below {...props} playhead={undefined} {...{ controls, selection }} />
}

interface Selection {
  readonly marks: Marks
  readonly onMarks: (marks: Marks) => void
}

interface RecordedProps extends StageFootageProps {
  player: FootagePlayer
  selection: Selection
}

function Recorded({ player, ...props }: RecordedProps) {
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
  selection: Selection
}

function Below({ cameras, timeZone, act, playhead, controls, selection, toolbar }: BelowProps) {
  const t = useText()
  const now = useNow()
  const { date, today, day, choose } = useDay({ timeZone, playhead, now })
  const isAlone = cameras.length === 1
  const rows = useMemo(
    () => cameras.map(({ cameraId, name }): TimelineRow => (isAlone ? { cameraId } : { cameraId, name })),
    [cameras, isAlone],
  )
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
              <Suspense fallback={null}>
                <FootageTools
                  {...{ cameras, timeZone }}
                  watched={playhead}
                  marked={markedSpan(selection.marks)}
                  goTo={act.pick}
                />
              </Suspense>
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
