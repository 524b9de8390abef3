import { Select } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { durationText } from './alert-minutes.ts'

interface MinutesSelectProps {
  label: string
  hint: string
  choices: readonly number[]
  /** What 0 minutes mean. */
  zero: string
  value: number
  disabled: boolean
  onChange: (minutes: number) => void
}

/** One of the supported numbers of minutes, as days, hours or minutes. */
export function MinutesSelect({ choices, zero, onChange, ...field }: MinutesSelectProps) {
  const { languages } = useApplication()
  return (
    <Select {...field} onChange={(event) => onChange(Number(event.target.value))}>
      {choices.map((each) => (
        <option key={each} value={each}>
          {each === 0 ? zero : durationText(each, languages.current())}
        </option>
      ))}
    </Select>
  )
}
