import { parseTimeOfDay, type ScheduleSpan } from '@sightline/contract/schedules'
import { Button, IconButton } from '@sightline/kit'
import { useState } from 'react'
import { paintText, type ScheduleKind } from './paints.ts'
import { SpanDialog } from './SpanDialog.tsx'
import { useText } from './text.ts'
import { toSpans, toStretches, type WeekPlan, withPaint } from './week-plan.ts'
import { useWeekWords } from './week-words.ts'

interface SpanListProps {
  kind: ScheduleKind
  plan: WeekPlan
  readOnly: boolean
  onChange: (plan: WeekPlan) => void
}

const without = (plan: WeekPlan, span: ScheduleSpan): WeekPlan =>
  toStretches(span).reduce((next, { start, end }) => withPaint(next, { start, end, paint: 'off' }), plan)

const including = (plan: WeekPlan, span: ScheduleSpan): WeekPlan =>
  toStretches(span).reduce((next, { start, end }) => withPaint(next, { start, end, paint: span.type ?? 'on' }), plan)

/** The times of a schedule as a list, for phones, screen readers and exact minutes. */
export function SpanList({ kind, plan, readOnly, onChange }: SpanListProps) {
  const t = useText()
  const words = useWeekWords()
  const [open, setOpen] = useState<ScheduleSpan | 'new'>()
  const spans = toSpans(plan)
  const timesOf = ({ from, to }: ScheduleSpan): string => {
    const [begin = 0, end = 0] = [parseTimeOfDay(from), parseTimeOfDay(to)]
    const values = { from: words.time(begin), to: words.time(end) }
    return t(end <= begin ? '{from} to {to} on the next day' : '{from} to {to}', values)
  }
  return (
    <div>
      {spans.length === 0 ? <p className="py-3 text-muted">{t('No times yet')}</p> : null}
      <ul className="divide-y divide-border">
        {spans.map((span) => {
          const days = words.days(span.days)
          const times = timesOf(span)
          return (
            <li key={`${days} ${times}`} className="flex items-center gap-2 py-2.5">
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{days}</span>
                <span className="block text-muted">
                  {times}
                  {kind === 'recording' ? ` · ${t(paintText(kind, span.type ?? 'on'))}` : ''}
                </span>
              </span>
              {readOnly ? null : (
                <>
                  <IconButton
                    icon="edit"
                    label={t('Change {days}, {times}', { days, times })}
                    onClick={() => setOpen(span)}
                  />
                  <IconButton
                    icon="trash"
                    label={t('Remove {days}, {times}', { days, times })}
                    onClick={() => onChange(without(plan, span))}
                  />
                </>
              )}
            </li>
          )
        })}
      </ul>
      {readOnly ? null : (
        <Button variant="secondary" icon="plus" className="mt-2" onClick={() => setOpen('new')}>
          {t('Add times')}
        </Button>
      )}
      {open === undefined ? null : (
        <SpanDialog
          kind={kind}
          span={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
          onSave={(span) => {
            onChange(including(open === 'new' ? plan : without(plan, open), span))
            setOpen(undefined)
          }}
        />
      )}
    </div>
  )
}
