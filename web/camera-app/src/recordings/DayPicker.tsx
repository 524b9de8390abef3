import { Button, IconButton, inputClass } from '@sightline/kit'
import { addDays } from '@sightline/shell/local-day'
import { useState } from 'react'
import { useText } from '../text.ts'

/** The day of the timeline; `yyyy-mm-dd`, today at the latest. */
export function DayPicker(props: { date: string; today: string; onChange: (date: string) => void }) {
  const { date, today, onChange } = props
  const t = useText()
  const [isLate, setLate] = useState(false)
  const change = (wanted: string) => {
    setLate(wanted > today)
    if (wanted !== '' && wanted <= today) onChange(wanted)
  }
  return (
    <div dir="ltr" className="flex items-center gap-1">
      <IconButton
        icon="chevronLeft"
        label={t('Day before')}
        className="-ms-2"
        onClick={() => change(addDays(date, -1))}
      />
      <input
        type="date"
        aria-label={t('Day')}
        value={date}
        max={today}
        aria-invalid={isLate || undefined}
        onChange={(event) => change(event.target.value)}
        className={`${inputClass} w-36! px-2!`}
      />
      <IconButton
        icon="chevronRight"
        label={t('Day after')}
        disabled={date >= today}
        onClick={() => change(addDays(date, 1))}
      />
      {date === today ? null : (
        <Button variant="quiet" className="px-2!" onClick={() => change(today)}>
          {t('Today')}
        </Button>
      )}
      <span role="status" className="text-xs text-danger-text">
        {isLate ? t('That day is still to come') : null}
      </span>
    </div>
  )
}
