import type { StaffUser } from '@sightline/contract/staff'
import { Button, Card, CheckList, SettingSwitch, Skeleton } from '@sightline/kit'
import { UnsavedChanges, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { everyAccountQuery } from '../reseller-accounts/index.ts'
import { useText } from '../text.ts'
import { type StaffOrganisation, staffCalls } from './staff-calls.ts'

interface AccountChoiceProps {
  of: Extract<StaffOrganisation, { kind: 'reseller' }>
  person: StaffUser
  fixed: boolean
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((value) => other.has(value))

/** The accounts of the reseller that a staff member may manage: all, or the selected ones. */
export function AccountChoice({ of, person, fixed }: AccountChoiceProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const calls = staffCalls(client, of)
  const saved = { all: person.allAccounts, ids: new Set(person.accountIds.map(String)) }
  const [typed, setTyped] = useState<{ readonly all: boolean; readonly ids: ReadonlySet<string> }>()
  const [busy, setBusy] = useState(false)
  const { all, ids } = typed ?? saved
  const changed = typed !== undefined && (all !== saved.all || !(all || sameSet(ids, saved.ids)))
  const { data: accounts } = useQuery({ ...everyAccountQuery(client, of.resellerId), enabled: !all })
  const keep = async () => {
    setBusy(true)
    const body = all ? { allAccounts: true } : { accountIds: [...ids].map(Number) }
    const outcome = await save(() => calls.patch(person.userId, body), {
      success: t('Account access updated'),
    })
    setBusy(false)
    if (!('saved' in outcome)) return
    queries.setQueryData([...calls.key, String(person.userId)], outcome.saved)
    setTyped(undefined)
    void queries.invalidateQueries({ queryKey: [...calls.key, 'list'] })
  }
  return (
    <Card
      title={t('Accounts')}
      footer={
        fixed ? undefined : (
          <Button busy={busy} disabled={!changed} onClick={() => void keep()}>
            {t('Save changes')}
          </Button>
        )
      }
    >
      <SettingSwitch
        label={t('All accounts')}
        description={t('Includes accounts added later.')}
        checked={all}
        onChange={(on) => setTyped({ all: on, ids })}
        {...(fixed ? { fixedBy: 'staff-guard' } : {})}
      />
      {all ? null : (
        <Choices
          accounts={accounts?.map((one) => ({
            value: String(one.accountId),
            label: one.name,
            ...(one.email === null ? {} : { hint: one.email }),
          }))}
          ids={ids}
          fixed={fixed}
          onChange={(next) => setTyped({ all, ids: next })}
        />
      )}
      <UnsavedChanges changed={changed} />
    </Card>
  )
}

interface ChoicesProps {
  accounts: readonly { readonly value: string; readonly label: string; readonly hint?: string }[] | undefined
  ids: ReadonlySet<string>
  fixed: boolean
  onChange: (ids: ReadonlySet<string>) => void
}

function Choices({ accounts, ids, fixed, onChange }: ChoicesProps) {
  const t = useText()
  if (accounts === undefined) return <Skeleton className="h-40 w-full" />
  return (
    <CheckList
      label={t('Selected accounts')}
      options={accounts}
      chosen={ids}
      onChange={onChange}
      searchLabel={t('Search by name or email address')}
      disabled={fixed}
      empty={<p className="text-muted">{t('No accounts yet')}</p>}
    />
  )
}
