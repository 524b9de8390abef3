import { Select } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { useText } from '../text.ts'

interface LanguageFieldProps {
  value: string
  /** The option for no choice, if there is one. */
  without?: string
  onChange: (language: string) => void
}

/** One of the product's languages, each by its own name. */
export function LanguageField({ value, without, onChange }: LanguageFieldProps) {
  const { languages } = useApplication()
  const t = useText()
  return (
    <Select label={t('Language')} value={value} onChange={(event) => onChange(event.target.value)}>
      {without === undefined ? null : <option value="">{without}</option>}
      {languages.choices.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  )
}
