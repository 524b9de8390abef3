import { getTimeZones } from '@sightline/contract/reference-lists'
import { SearchSelect } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useText } from '../text.ts'

const HOUR_MS = 3_600_000
const named = (timeZone: string) => timeZone.replaceAll('_', ' ')

interface TimeZoneFieldProps {
  /** Empty: none of its own. */
  value: string
  /** What the closed field says while it has none. */
  without?: string
  onChange: (timeZone: string) => void
  disabled?: boolean
}

export function TimeZoneField({ value, without, onChange, disabled = false }: TimeZoneFieldProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const options = async () => {
    const list = await queries.fetchQuery({
      queryKey: ['timeZones'],
      queryFn: ({ signal }) => client.call(getTimeZones, {}, { signal }),
      staleTime: HOUR_MS,
    })
    const zones = list.map(({ timeZone, label }) => ({ value: timeZone, label: named(label) }))
    return without === undefined ? zones : [{ value: '', label: without }, ...zones]
  }
  return (
    <SearchSelect
      label={t('Time zone')}
      value={value}
      valueLabel={value === '' ? (without ?? '') : named(value)}
      options={options}
      onChange={onChange}
      disabled={disabled}
    />
  )
}
