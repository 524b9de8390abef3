import { SearchSelect } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { timeZoneOptions, zoneInWords } from '@sightline/shell/time-zones'
import { useText } from '../text.ts'

interface TimeZoneFieldProps {
  /** Empty: none of its own. */
  value: string
  /** What the closed field says while it has none. */
  without?: string
  onChange: (timeZone: string) => void
  disabled?: boolean
}

export function TimeZoneField({ value, without, onChange, disabled = false }: TimeZoneFieldProps) {
  const { client, queries, languages } = useApplication()
  const language = languages.current()
  const t = useText()
  const options = async () => {
    const zones = await timeZoneOptions({ client, queries, language })
    return without === undefined ? zones : [{ value: '', label: without }, ...zones]
  }
  return (
    <SearchSelect
      label={t('Time zone')}
      value={value}
      valueLabel={value === '' ? (without ?? '') : zoneInWords(value, language, new Date())}
      options={options}
      onChange={onChange}
      disabled={disabled}
    />
  )
}
