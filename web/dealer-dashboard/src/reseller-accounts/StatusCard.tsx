import type { Account } from '@sightline/contract/reseller-accounts'
import { Button, Card, ConfirmDialog } from '@sightline/kit'
import { useState } from 'react'
import { useText } from '../text.ts'
import { type Status, StatusBadge, statuses } from './account-marks.tsx'
import type { AccountIds } from './account-queries.ts'
import { useAccountChange } from './use-account-change.ts'

const order: readonly Status[] = ['active', 'inactive', 'suspended']

interface StatusCardProps {
  account: Account
  place: AccountIds
  readOnly: boolean
}

/** The account's state, with the meaning of each state. */
export function StatusCard({ account, place, readOnly }: StatusCardProps) {
  const t = useText()
  const change = useAccountChange(place)
  const [asked, ask] = useState<Status>()
  const [busy, setBusy] = useState(false)
  const confirm = async (status: Status) => {
    setBusy(true)
    await change({ status }, { success: t('Account status updated') })
    setBusy(false)
    ask(undefined)
  }
  return (
    <Card title={t('Status')} aside={<StatusBadge status={account.status} />}>
      <ul className="divide-y divide-border">
        {order.map((status) => (
          <li key={status} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <div className="min-w-0 grow basis-64">
              <p className="font-medium">{t(statuses[status].label)}</p>
              <p className="text-muted">{t(statuses[status].meaning)}</p>
            </div>
            {readOnly || status === account.status ? null : (
              <Button variant="secondary" onClick={() => ask(status)}>
                {t(setTo[status])}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked === undefined ? null : (
        <ConfirmDialog
          open
          title={t(questions[asked], { name: account.name })}
          confirm={t(setTo[asked])}
          danger={asked === 'suspended'}
          busy={busy}
          onClose={() => ask(undefined)}
          onConfirm={() => void confirm(asked)}
        >
          {t(statuses[asked].meaning)}
        </ConfirmDialog>
      )}
    </Card>
  )
}

const setTo = { active: 'Activate', inactive: 'Deactivate', suspended: 'Suspend' } as const
const questions = {
  active: 'Activate {name}?',
  inactive: 'Deactivate {name}?',
  suspended: 'Suspend {name}?',
} as const
