import { SearchSelect } from '@sightline/kit'
import { accountQueries, useApplication } from '@sightline/shell'
import { timeZoneOptions, zoneInWords } from '@sightline/shell/time-zones'
import { useQuery } from '@tanstack/react-query'
import { useText } from './text.ts'

interface TimeZoneFieldProps {
  hint: string
  /** Empty: the inherited one. */
  value: string
  disabled?: boolean
  /** Whose time zone applies where none is chosen. */
  inherited?: 'account' | 'zone'
  onChange: (value: string) => void
}

/** A time zone, or the inherited one. */
export function TimeZoneField({ hint, value, disabled = false, inherited = 'account', onChange }: TimeZoneFieldProps) {
  const t = useText()
  const { client, queries, languages } = useApplication()
  const language = languages.current()
  const named = (zone: string) => zoneInWords(zone, language, new Date())
  const accountZone = useQuery(accountQueries(client).timeZone).data?.timeZone
  const ofAccount =
    accountZone === undefined
      ? t('Account default')
      : t('Account default: {timeZone}', { timeZone: named(accountZone) })
  const none = { value: '', label: inherited === 'zone' ? t('Same as its zone') : ofAccount }
  return (
    <SearchSelect
      label={t('Time zone')}
      hint={hint}
      value={value}
      valueLabel={value === '' ? none.label : named(value)}
      options={async () => [none, ...(await timeZoneOptions({ client, queries, language }))]}
      disabled={disabled}
      onChange={onChange}
    />
  )
}
