import { Notice, PasswordField, RadioGroup, TextField } from '@sightline/kit'
import { type Text, useText } from './text.ts'

/** What is asked besides the times. */
export interface ShareWish {
  readonly name: string
  readonly opener: 'public' | 'account'
  readonly days: '1' | '7' | '30'
  readonly password: string
}

export const noShareWish: ShareWish = { name: '', opener: 'public', days: '7', password: '' }

const MIN_PASSWORD = 8

export const isShortPassword = ({ password }: ShareWish): boolean => password !== '' && password.length < MIN_PASSWORD

const lengthTexts: Readonly<Record<ShareWish['days'], Text>> = { 1: 'In 1 day', 7: 'In 7 days', 30: 'In 30 days' }

interface ShareFieldsProps {
  wish: ShareWish
  onChange: (wish: ShareWish) => void
}

/** How a link is called, who can open it, until when, and with which password. */
export function ShareFields({ wish, onChange }: ShareFieldsProps) {
  const t = useText()
  return (
    <>
      <TextField
        label={t('Title')}
        optional={t('optional')}
        maxLength={100}
        hint={t('Shown to everyone who opens the link.')}
        value={wish.name}
        onChange={(event) => onChange({ ...wish, name: event.currentTarget.value })}
      />
      <RadioGroup
        label={t('Who can open it')}
        options={[
          { value: 'public', label: t('Anyone with the link'), description: t('They don’t need to sign in.') },
          {
            value: 'account',
            label: t('People in this account'),
            description: t('They need to sign in and have access to the camera’s recordings.'),
          },
        ]}
        value={wish.opener}
        onChange={(opener) => onChange({ ...wish, opener })}
      />
      <RadioGroup
        label={t('Link expires')}
        options={(['1', '7', '30'] as const).map((value) => ({ value, label: t(lengthTexts[value]) }))}
        value={wish.days}
        onChange={(days) => onChange({ ...wish, days })}
      />
      <PasswordField
        label={t('Password')}
        optional={t('optional')}
        autoComplete="new-password"
        maxLength={128}
        value={wish.password}
        hint={isShortPassword(wish) ? t('Use at least 8 characters') : t('Send it separately from the link.')}
        onChange={(event) => onChange({ ...wish, password: event.currentTarget.value })}
      />
      <Notice>
        {t(
          'The link plays a copy of the footage, with sound if you have permission to hear it. You can end it at any time.',
        )}
      </Notice>
    </>
  )
}
