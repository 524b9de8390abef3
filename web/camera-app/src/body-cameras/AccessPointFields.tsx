import { type Form, TextField } from '@sightline/kit'
import type { AccessPointValues } from './setup-form.ts'
import { useText } from './text.ts'

const code = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', dir: 'ltr' } as const
const digits = { ...code, inputMode: 'numeric' } as const

interface AccessPointFieldsProps {
  form: Pick<Form<AccessPointValues>, 'field'>
  disabled?: boolean
}

/** What a mobile operator says about its network, but for the password. Two cells of a grid of two columns, and one more. */
export function AccessPointFields({ form, disabled = false }: AccessPointFieldsProps) {
  const t = useText()
  return (
    <>
      <TextField
        {...form.field('apn')}
        label={t('Access point name (APN)')}
        hint={t('From the mobile operator, for example internet.')}
        disabled={disabled}
        {...code}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('mcc')} label={t('Country code (MCC)')} disabled={disabled} {...digits} />
        <TextField {...form.field('mnc')} label={t('Network code (MNC)')} disabled={disabled} {...digits} />
      </div>
      <TextField
        {...form.field('userName')}
        label={t('User name, if the operator asks for one')}
        disabled={disabled}
        {...code}
      />
    </>
  )
}
