import { PasswordField } from '@sightline/kit'
import type { ComponentProps } from 'react'
import { useText } from './text.ts'

/** The password of a camera that gets another address. */
export function AddressPasswordField(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  const t = useText()
  return (
    <PasswordField
      {...field}
      label={t('Password of the camera')}
      hint={t('The saved password isn’t sent to another address.')}
      autoComplete="new-password"
    />
  )
}
