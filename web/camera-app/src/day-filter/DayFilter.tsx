import { DateRange, type DayRange } from '@sightline/kit'
import { FilterPopup } from '@sightline/kit/table'
import { lastDays, useMoments } from '../account-time/index.ts'

import { useText } from './text.ts'

interface DayFilterProps {
  /** Empty texts mean no limit. */
  days: DayRange
  onChange: (days: DayRange) => void
}

/** A filter for days in the account's time zone. */
export function DayFilter({ days: { from, till }, onChange }: DayFilterProps) {
  const t = useText()
  const { timeZone, days: written } = useMoments()
  const now = Date.now()
  const presets = [
    { label: t('Today'), ...lastDays(1, now, timeZone) },
    { label: t('Last 7 days'), ...lastDays(7, now, timeZone) },
    { label: t('Last 30 days'), ...lastDays(30, now, timeZone) },
  ]
  const preset = presets.find((one) => one.from === from && one.till === till)?.label
  // If one end is open, only the dash remains on that side.
  const summary = from === '' || till === '' || till < from ? `${from} – ${till}` : written(from, till)
  const isOpen = from === '' && till === ''
  return (
    <FilterPopup label={t('Dates')} summary={isOpen ? undefined : (preset ?? summary)}>
      <DateRange days={{ from, till }} presets={presets} onChange={onChange} />
    </FilterPopup>
  )
}
