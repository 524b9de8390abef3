import { codeOrRecoveryProblem, codeProblem, type Mfa, patchMfa } from '@sightline/contract/mfa'
import { Badge, Button, FormCard, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { passkeysQuery } from '../passkeys/index.ts'
import { mfaQuery } from './mfa-query.ts'
import { SetupSteps } from './SetupSteps.tsx'
import { type MfaText, useMfaText } from './text.ts'

interface CodeForm extends Record<string, string> {
  readonly code: string
}

const empty: CodeForm = { code: '' }
/** The error code for a wrong or used code (specification §8). */
const WRONG_CODE = 9

const whileOff = (asksPasskeys: boolean): MfaText =>
  asksPasskeys
    ? 'You sign in with your password and a passkey. To use an app as well, set it up in three steps:'
    : 'You sign in with only your password. Set up an app in three steps:'

interface MfaCardProps {
  mfa: Mfa
  /** Read-only. */
  readOnly: boolean
  /** A passkey is required after the password, with or without the app. */
  asksPasskeys: boolean
  onEnabled: (recoveryCodes: readonly string[]) => void
}

/** Turns the second factor on or off with a code, depending on its state. */
export function MfaCard({ mfa, readOnly, asksPasskeys, onEnabled }: MfaCardProps) {
  const { client, queries } = useApplication()
  const t = useMfaText()
  const save = useSave()
  const { enabled } = mfa
  const form = useForm(empty, { code: enabled ? codeOrRecoveryProblem : codeProblem }, t.message)

  const change = async ({ code }: CodeForm) => {
    const outcome = await save(() => client.call(patchMfa, { body: { enabled: !enabled, code } }), {
      success: t(enabled ? 'MFA has been successfully disabled' : 'MFA has been successfully enabled'),
      form: { fields: ['code'], fieldOfCode: { [WRONG_CODE]: 'code' }, refuse: form.refuse },
    })
    if ('failure' in outcome) return
    const { recoveryCodes, ...changed } = outcome.saved
    form.reset()
    queries.setQueryData(mfaQuery(client).queryKey, changed)
    void queries.invalidateQueries(passkeysQuery(client))
    if (recoveryCodes !== undefined) onEnabled(recoveryCodes)
  }

  const button = (does: 'enable' | 'disable') => ({
    type: does === (enabled ? 'disable' : 'enable') ? ('submit' as const) : ('button' as const),
    busy: form.busy && (does === 'disable') === enabled,
    disabled: readOnly || (does === 'disable') !== enabled || !(form.changed && form.valid),
  })
  const field = (
    <TextField
      label={t(enabled ? 'Authentication or recovery code' : 'Authentication code')}
      hint={enabled ? t('Enter the current code from your app or one of your recovery codes.') : undefined}
      required
      disabled={readOnly}
      dir="ltr"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={16}
      {...(enabled ? {} : { inputMode: 'numeric' })}
      {...form.field('code')}
    />
  )
  return (
    <FormCard
      title={t('Authenticator app')}
      description={t(enabled ? 'You sign in with your password and a code from your app.' : whileOff(asksPasskeys))}
      aside={<Badge mood={enabled ? 'success' : 'neutral'}>{t(enabled ? 'On' : 'Off')}</Badge>}
      onSubmit={form.submit(change)}
      footer={
        <>
          <p className="me-auto text-xs text-muted">{t('Enabling or disabling this signs you out everywhere else.')}</p>
          <Button variant="secondary" {...button('disable')}>
            {t('Disable')}
          </Button>
          <Button {...button('enable')}>{t('Enable')}</Button>
        </>
      }
    >
      {enabled ? (
        <div className="max-w-72">{field}</div>
      ) : (
        <SetupSteps qrCode={mfa.qrCode} secret={mfa.secret}>
          {field}
        </SetupSteps>
      )}
    </FormCard>
  )
}
