import type { Camera } from '@sightline/contract/cameras'
import { Notice } from '@sightline/kit'
import { type FootagePlayer, useFootageState } from '@sightline/player'
import { useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useNow } from '../clock.ts'
import {
  DayPicker,
  GoToTime,
  Timeline,
  type TimelineContent,
  type TimelineRow,
  timelineQuery,
  timelinesQuery,
  useDay,
} from '../recordings/index.ts'
import { useText } from '../text.ts'
import { PlayControls } from './PlayControls.tsx'
import type { StageActions } from './stage-actions.ts'
import type { StagePosition } from './stage-position.ts'

export interface StageFootageProps {
  cameras: readonly Camera[]
  timeZone: string
  position: StagePosition
  act: StageActions
  /** What else can be done with footage at a time. */
  tools: ((watched: number | undefined) => ReactNode) | undefined
  /** The buttons of several pictures, which have no room of their own on a phone in landscape. */
  toolbar: ReactNode
}

const LIVE_RATES = [1]
const nothing: TimelineContent = { recorded: [], gaps: [], fromCard: [] }
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

/** The rows of the timeline for a day: one without a name for a single camera. */
function useRows(
  cameras: readonly Camera[],
  { day, isToday }: { day: { from: number; till: number }; isToday: boolean },
) {
  const { client } = useApplication()
  const cameraIds = cameras.map(({ cameraId }) => cameraId)
  const [only = 0] = cameraIds
  const isAlone = cameraIds.length === 1
  const one = useQuery({ ...timelineQuery(client, { cameraId: only, day, isToday }), enabled: isAlone })
  const all = useQuery({ ...timelinesQuery(client, { cameraIds, day, isToday }), enabled: !isAlone })
  const rows = useMemo(
    (): readonly TimelineRow[] =>
      isAlone
        ? [{ content: one.data ?? nothing }]
        : cameras.map(({ cameraId, name }) => ({ name, content: all.data?.get(cameraId) ?? nothing })),
    [isAlone, cameras, one.data, all.data],
  )
  const { data, error, refetch } = isAlone ? one : all
  return { rows, hasFailed: error !== null && data === undefined, isLoaded: data !== undefined, refetch }
}

interface BelowProps extends StageFootageProps {
  playhead: number | undefined
  controls: ReactNode
}

function Below({ cameras, timeZone, act, playhead, controls, tools, toolbar }: BelowProps) {
  const t = useText()
  const now = useNow()
  const { date, today, day, choose } = useDay({ timeZone, playhead, now })
  const { rows, hasFailed, isLoaded, refetch } = useRows(cameras, { day, isToday: date === today })
  const isEmpty = isLoaded && rows.every(({ content }) => content.recorded.length === 0)
  return (
    <section className="space-y-2" aria-label={t('Footage')}>
      <Timeline
        {...{ day, timeZone, now, playhead, rows }}
        onPick={act.pick}
        tools={
          // On a phone in landscape, one row that scrolls: the picture needs the height.
          <span className="contents short:relative short:flex short:max-w-[calc(100%-6.5rem)] short:items-center short:gap-2 short:overflow-x-auto short:*:shrink-0">
            {controls}
            {/* If one row is too narrow, the day controls go to the second one. */}
            <span aria-hidden="true" className="basis-full short:hidden lg:hidden" />
            <DayPicker date={date} today={today} onChange={choose} />
            <GoToTime {...{ date, timeZone, now }} onPick={act.pick} />
            {tools?.(playhead)}
            <span className="hidden short:contents">{toolbar}</span>
          </span>
        }
      />
      <p role="status" className="text-muted empty:hidden">
        {isEmpty ? t('Nothing was recorded on this day.') : null}
      </p>
      {hasFailed ? (
        <Notice mood="danger">
          {t('Couldn’t load the footage list. Try again.')}{' '}
          <button type="button" className="text-link-underline" onClick={() => void refetch()}>
            {t('Try again')}
          </button>
        </Notice>
      ) : null}
    </section>
  )
}
