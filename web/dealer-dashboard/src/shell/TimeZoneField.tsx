import { SearchSelect } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { timeZoneOptions, zoneInWords } from '@sightline/shell/time-zones'
import { useText } from '../text.ts'

interface TimeZoneFieldProps {
  /** Empty: the default. */
  value: string
  /** The text of the closed field while it is empty. */
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
