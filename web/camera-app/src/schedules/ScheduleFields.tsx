import type { Schedule } from '@sightline/contract/schedules'
import { Button } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { zoneInWords } from '@sightline/shell/time-zones'
import { type ReactNode, useEffect, useState } from 'react'
import { kindOrder, kinds, paintClass, paintText, type ScheduleKind } from './paints.ts'
import { SpanList } from './SpanList.tsx'
import { useText } from './text.ts'
import { WeekGrid } from './WeekGrid.tsx'
import { emptyPlan, MINUTES_PER_DAY, type Paint, type WeekPlan, withPaint } from './week-plan.ts'
import { useWeekWords } from './week-words.ts'

export type Plans = Readonly<Record<ScheduleKind, WeekPlan>>

export type ScheduleClock = Pick<Schedule, 'timeZone' | 'utcOffset' | 'nextOffsetChange'>

const MINUTE_MS = 60_000
/** 1 January 1970 was a Thursday. */
const FIRST_DAY = 3

/** The current time, again each half minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 2)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface ChoiceProps<Value extends string> {
  label: string
  options: readonly { readonly value: Value; readonly label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}

/** A few buttons of which one is pressed. */
function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1 rounded-md bg-sunken p-1">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="inline-flex min-h-8 items-center gap-2 rounded-sm border border-transparent px-3 font-medium text-muted hover:text-text aria-pressed:border-outline aria-pressed:bg-surface aria-pressed:text-text pointer-coarse:min-h-10"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}

/** The time zone of the times, its time now, and when its clocks change: all as the server knows it. */
function ClockText({ clock, now }: { clock: ScheduleClock; now: number }) {
  const t = useText()
  const { languages } = useApplication()
  const words = useWeekWords()
  const { timeZone, utcOffset, nextOffsetChange: next } = clock
  const zone = zoneInWords(timeZone, languages.current(), new Date(now))
  const isForward = next !== null && next.utcOffset > utcOffset
  return (
    <div className="text-muted">
      <p>{t('Times are in {zone}. It is {time} there now.', { zone, time: words.clock(now, utcOffset) })}</p>
      {next === null ? null : (
        <p>
          {t(
            isForward
              ? 'Clocks go forward on {when}. Times that are skipped begin right after the change.'
              : 'Clocks go back on {when}. Times that occur twice count both times.',
            { when: words.dayAndTime(Date.parse(next.at), utcOffset) },
          )}
        </p>
      )}
    </div>
  )
}

interface ScheduleFieldsProps {
  plans: Plans
  clock: ScheduleClock
  readOnly: boolean
  onChange: (plans: Plans) => void
}

/** The three schedules, one at a time, as a week to paint on or as a list. */
export function ScheduleFields({ plans, clock, readOnly, onChange }: ScheduleFieldsProps) {
  const t = useText()
  const now = useNow()
  const [kind, setKind] = useState<ScheduleKind>('recording')
  const [chosen, setBrush] = useState<Paint>('on')
  const [view, setView] = useState<'week' | 'list'>('week')
  const { name, meaning, paints } = kinds[kind]
  const brush = chosen === 'off' || paints.some((paint) => paint === chosen) ? chosen : 'on'
  const plan = plans[kind]
  const change = (next: WeekPlan) => onChange({ ...plans, [kind]: next })
  const local = Math.floor((now + clock.utcOffset * 1000) / MINUTE_MS) + FIRST_DAY * MINUTES_PER_DAY
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Choice
          label={t('Schedule')}
          options={kindOrder.map((one) => ({ value: one, label: t(kinds[one].name) }))}
          value={kind}
          onChange={setKind}
        />
        <div className="hidden sm:block">
          <Choice
            label={t('View')}
            options={[
              { value: 'week', label: t('Week') },
              { value: 'list', label: t('List') },
            ]}
            value={view}
            onChange={setView}
          />
        </div>
      </div>
      <p className="text-muted">{t(meaning)}</p>
      <div className={view === 'week' ? 'hidden space-y-4 sm:block' : 'hidden'}>
        {readOnly ? null : (
          <div className="flex flex-wrap items-center gap-3">
            <Choice
              label={t('Paint with')}
              options={[...paints, 'off' as const].map((paint) => ({
                value: paint,
                label: (
                  <>
                    <span
                      aria-hidden="true"
                      className={`size-4 rounded-xs border border-outline ${paint === 'off' ? 'bg-sunken' : paintClass[paint]}`}
                    />
                    {t(paintText(kind, paint))}
                  </>
                ),
              }))}
              value={brush}
              onChange={setBrush}
            />
            <Button
              variant="quiet"
              onClick={() => change(withPaint(plan, { start: 0, end: 7 * MINUTES_PER_DAY, paint: 'on' }))}
            >
              {t('Always')}
            </Button>
            <Button variant="quiet" onClick={() => change(emptyPlan)}>
              {t('Clear all')}
            </Button>
          </div>
        )}
        <WeekGrid
          label={t(name)}
          now={local % (7 * MINUTES_PER_DAY)}
          {...{ kind, plan, brush, readOnly }}
          onChange={change}
        />
        {readOnly ? null : (
          <p className="text-xs text-muted">
            {t('Drag to paint. With the keyboard: arrow keys move, Space paints, Shift and an arrow key paint on.')}
          </p>
        )}
      </div>
      <div className={view === 'week' ? 'sm:hidden' : ''}>
        <SpanList {...{ kind, plan, readOnly }} onChange={change} />
      </div>
      <ClockText clock={clock} now={now} />
    </div>
  )
}
