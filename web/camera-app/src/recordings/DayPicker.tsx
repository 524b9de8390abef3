import { Button, CalendarButton, IconButton } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { addDays } from '@sightline/shell/local-day'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'
import { useText } from '../text.ts'

/** The day of the timeline; `yyyy-mm-dd`, today at the latest. */
export function DayPicker(props: { date: string; today: string; onChange: (date: string) => void }) {
  const { date, today, onChange } = props
  const t = useText()
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const day = useMemo(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }), [locale])
  return (
    <div dir="ltr" className="flex items-center gap-1">
      <IconButton
        icon="chevronLeft"
        label={t('Previous day')}
        className="-ms-2"
        onClick={() => onChange(addDays(date, -1))}
      />
      <CalendarButton
        label={t('Day')}
        selection={{ kind: 'day', day: date, onSelect: onChange }}
        max={today}
        today={today}
        className="control min-w-32 border border-outline bg-surface px-3 tabular-nums transition-colors hover:border-text"
      >
        <span className="sr-only">{t('Day')}: </span>
        <bdi>{day.format(Date.parse(date))}</bdi>
      </CalendarButton>
      <IconButton
        icon="chevronRight"
        label={t('Next day')}
        disabled={date >= today}
        onClick={() => onChange(addDays(date, 1))}
      />
      {date === today ? null : (
        <Button variant="quiet" className="px-2!" onClick={() => onChange(today)}>
          {t('Today')}
        </Button>
      )}
    </div>
  )
}
