import { parseTimeOfDay, type ScheduleSpan, type Weekday, weekdays } from '@sightline/contract/schedules'
import { FormDialog, Select, TickBox, TimeField } from '@sightline/kit'
import { useId, useState } from 'react'
import { kinds, paintText, type ScheduleKind } from './paints.ts'
import { useText } from './text.ts'
import { useWeekWords } from './week-words.ts'

interface SpanDialogProps {
  kind: ScheduleKind
  /** The times to change; new times without it. */
  span: ScheduleSpan | undefined
  onClose: () => void
  onSave: (span: ScheduleSpan) => void
}

const newSpan: ScheduleSpan = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }

/** Times on some days, typed. */
export function SpanDialog({ kind, span, onClose, onSave }: SpanDialogProps) {
  const t = useText()
  const words = useWeekWords()
  const id = useId()
  const [values, setValues] = useState<ScheduleSpan>(span ?? newSpan)
  const { days, from, to, type } = values
  const toggle = (day: Weekday, on: boolean) =>
    setValues({ ...values, days: weekdays.filter((one) => (one === day ? on : days.includes(one))) })
  const [begin, end] = [parseTimeOfDay(from), parseTimeOfDay(to)]
  const isNextDay = begin !== undefined && end !== undefined && end <= begin && end > 0
  const { paints } = kinds[kind]
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t(span === undefined ? 'Add times' : 'Change times')}
      submit={t(span === undefined ? 'Add times' : 'Change times')}
      changed={values !== (span ?? newSpan)}
      sendsUnchanged
      valid={days.length > 0 && begin !== undefined && end !== undefined}
      busy={false}
      onSubmit={(event) => {
        event.preventDefault()
        // Midnight at the end of a day.
        onSave({ ...values, to: to === '00:00' ? '24:00' : to })
      }}
    >
      <div className="space-y-5">
        <fieldset>
          <legend className="mb-1.5 font-medium">{t('Days')}</legend>
          <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
            {weekdays.map((day) => (
              <label
                key={day}
                htmlFor={`${id}-${day}`}
                className="flex min-h-9 items-center gap-3 rounded-sm px-1 py-1.5 pointer-coarse:min-h-11"
              >
                <TickBox id={`${id}-${day}`} checked={days.includes(day)} onChange={(on) => toggle(day, on)} />
                {words.day(day)}
              </label>
            ))}
          </div>
          {days.length === 0 ? <p className="mt-1 text-danger-text">{t('Select at least one day')}</p> : null}
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <TimeField
            label={t('From')}
            value={from}
            required
            onChange={(event) => setValues({ ...values, from: event.target.value })}
          />
          <TimeField
            label={t('Until')}
            value={to === '24:00' ? '00:00' : to}
            required
            hint={isNextDay ? t('On the next day') : t('Midnight is the end of the day.')}
            onChange={(event) => setValues({ ...values, to: event.target.value })}
          />
        </div>
        {paints.length > 1 ? (
          <Select
            label={t('Recording type')}
            value={type ?? 'on'}
            onChange={({ target }) => {
              const { type: _, ...others } = values
              const chosen = target.value
              setValues(chosen === 'continuous' || chosen === 'event' ? { ...others, type: chosen } : others)
            }}
          >
            {paints.map((paint) => (
              <option key={paint} value={paint}>
                {t(paintText(kind, paint))}
              </option>
            ))}
          </Select>
        ) : null}
      </div>
    </FormDialog>
  )
}
