import type { IdentityProof } from '@sightline/contract/account-deletion'
import { FormDialog, PasswordField, TextField, useForm } from '@sightline/kit'
import { type SaveResult, useSave } from '@sightline/shell'
import type { ReactNode } from 'react'
import { usePersonalDataText } from './text.ts'

interface ProofForm extends Record<string, string> {
  readonly password: string
  readonly code: string
}

const empty: ProofForm = { password: '', code: '' }
const WRONG_PASSWORD = 8
const WRONG_CODE = 9

interface ProofDialogProps<Reply> {
  open: boolean
  title: string
  submit: string
  success: string
  danger?: boolean
  /** The second factor is on. */
  asksForCode: boolean
  work: (proof: IdentityProof) => Promise<Reply>
  onDone: (reply: Reply) => void
  onClose: () => void
  children: ReactNode
}

/** Asks for the password, and a code if the second factor is on, before actions that only the user may take. */
export function ProofDialog<Reply>(props: ProofDialogProps<Reply>) {
  const { open, title, submit, success, danger = false, asksForCode, work, onDone, onClose, children } = props
  const t = usePersonalDataText()
  const save = useSave()
  const form = useForm(
    empty,
    {
      password: (password) => (password === '' ? 'Please enter your current password' : undefined),
      code: (code) => (asksForCode && code === '' ? 'Enter a code' : undefined),
    },
    t.message,
  )
  const send = async ({ password, code }: ProofForm) => {
    const proof = asksForCode ? { password, code } : { password }
    const wrongPassword = { [WRONG_PASSWORD]: t('Incorrect password') }
    // Without a code field, the same error code means that the user isn't allowed to.
    const wrongCode = t('This code is incorrect or was already used')
    const outcome: SaveResult<Reply> = await save(() => work(proof), {
      success,
      messages: asksForCode ? { ...wrongPassword, [WRONG_CODE]: wrongCode } : wrongPassword,
      form: {
        fields: ['password', 'code'],
        fieldOfCode: { [WRONG_PASSWORD]: 'password', [WRONG_CODE]: 'code' },
        refuse: form.refuse,
      },
    })
    if ('failure' in outcome) return
    form.reset()
    onDone(outcome.saved)
  }
  const close = () => {
    form.reset()
    onClose()
  }
  return (
    <FormDialog
      open={open}
      title={title}
      submit={submit}
      danger={danger}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(send)}
      onClose={close}
    >
      {children}
      <PasswordField
        label={t('Current password')}
        required
        autoComplete="current-password"
        {...form.field('password')}
      />
      {asksForCode ? (
        <TextField
          label={t('Authentication or recovery code')}
          required
          dir="ltr"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...form.field('code')}
        />
      ) : null}
    </FormDialog>
  )
}
