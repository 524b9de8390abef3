import { Notice, PasswordField } from '@sightline/kit'
import { PASSWORD_LENGTH, type PasswordStrength, passwordStrength } from './export-wish.ts'
import { type Text, useText } from './text.ts'

const strengthTexts: Readonly<Record<PasswordStrength, Text>> = {
  weak: 'Weak: easy to guess with a computer. Use several unrelated words.',
  fair: 'Fair: longer is safer.',
  strong: 'Strong',
}

interface ExportPasswordProps {
  password: string
  onChange: (password: string) => void
  /** The file had one before, so that it must have one again. */
  isRequired?: boolean
}

/** The password of a ZIP file, a hint how strong it is, and what happens if it is lost. */
export function ExportPassword({ password, onChange, isRequired = false }: ExportPasswordProps) {
  const t = useText()
  const isShort = password !== '' && password.length < PASSWORD_LENGTH.min
  let hint = t('Leave it empty if anyone with the file may open it.')
  if (isRequired) hint = t('The file had a password, which isn’t kept. Choose one again.')
  if (password !== '') hint = t(isShort ? 'Use at least 8 characters' : strengthTexts[passwordStrength(password)])
  return (
    <>
      <PasswordField
        label={t('Password')}
        {...(isRequired ? {} : { optional: t('optional') })}
        autoComplete="new-password"
        maxLength={PASSWORD_LENGTH.max}
        value={password}
        hint={hint}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {password === '' ? null : (
        <Notice mood="warning">
          {t('Keep the password safe: without it, no one can open the file, and we can’t recover it.')}
        </Notice>
      )}
    </>
  )
}
