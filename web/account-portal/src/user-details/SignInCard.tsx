import { Card } from '@sightline/kit'
import { useAllTexts } from '@sightline/shell'
import type { ReactNode } from 'react'
import { ChangeEmailForm } from './ChangeEmailForm.tsx'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'
import { EditButton, type Editing, type Section } from './editing.tsx'
import { useSignInCardText } from './text.ts'

interface RowProps {
  section: Section
  label: string
  value: ReactNode
  /** The label of the button. */
  change: string
  editing: Editing
  /** The form that changes the value. */
  children: ReactNode
}

function Row({ section, label, value, change, editing, children }: RowProps) {
  return (
    <div className="py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h3 className="text-xs text-muted">{label}</h3>
          <p className="mt-0.5 wrap-anywhere">{value}</p>
        </div>
        <EditButton section={section} editing={editing}>
          {change}
        </EditButton>
      </div>
      {editing.section === section ? <div className="mt-5">{children}</div> : null}
    </div>
  )
}

interface SignInCardProps {
  email: string
  editing: Editing
  /** The placeholder until its texts have loaded. */
  place: ReactNode
}

/** Email address and password of the signed-in user, each changed on its own (specification §2 "Details screen"). */
export function SignInCard({ email, editing, place }: SignInCardProps) {
  const t = useSignInCardText()
  if (!useAllTexts()) return place
  return (
    <Card title={t('Sign-in')}>
      <div className="divide-y divide-border">
        <Row
          section="email"
          label={t('Email address')}
          value={<bdi>{email}</bdi>}
          change={t('Change email address')}
          editing={editing}
        >
          <ChangeEmailForm current={email} onClose={editing.close} />
        </Row>
        <Row
          section="password"
          label={t('Password')}
          value={<span aria-hidden>••••••••••</span>}
          change={t('Change password')}
          editing={editing}
        >
          <ChangePasswordForm email={email} onClose={editing.close} />
        </Row>
      </div>
    </Card>
  )
}
