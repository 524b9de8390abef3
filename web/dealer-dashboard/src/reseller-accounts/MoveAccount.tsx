import type { Client } from '@sightline/client'
import { type Account, moveAccount } from '@sightline/contract/reseller-accounts'
import { getResellers, type Reseller } from '@sightline/contract/resellers'
import { Button, Card, FormDialog, SearchSelect, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { resellerQuery } from '../resellers/index.ts'
import { type AccountIds, accountQueries, accountsKey, refetchInsights } from './account-queries.ts'
import { useText } from './text.ts'

const AT_ONCE = 500

/** The other resellers of the distributor, by name. */
async function otherResellers(client: Client, of: Reseller): Promise<readonly Reseller[]> {
  const found: Reseller[] = []
  let pageToken: string | undefined
  do {
    const wish = { limit: AT_ONCE, sort: 'name', ...(pageToken === undefined ? {} : { pageToken }) }
    const page = await client.page(getResellers, { params: { distributorId: of.distributorId } }, wish)
    found.push(...page.rows)
    pageToken = page.next
  } while (pageToken !== undefined)
  return found.filter(({ resellerId }) => resellerId !== of.resellerId)
}

interface MoveProps {
  account: Account
  place: AccountIds
}

function MoveDialog({ account, place, onClose }: MoveProps & { onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const form = useForm({ resellerId: '' }, {}, t.message)
  const options = async () => {
    const own = await queries.ensureQueryData(resellerQuery(client, place.resellerId))
    const others = (await otherResellers(client, own)).map(({ resellerId, name }) => ({
      value: String(resellerId),
      label: name,
    }))
    setNames(new Map(others.map(({ value, label }) => [value, label])))
    return others
  }
  const move = async ({ resellerId }: { resellerId: string }) => {
    const body = { resellerId: Number(resellerId) }
    const name = names.get(resellerId) ?? ''
    const outcome = await save(() => client.call(moveAccount, { params: place, body }), {
      success: t('{account} moved to {reseller}', { account: account.name, reseller: name }),
      messages: {
        6: t(
          "This account can't be moved to that reseller. The reseller needs the same package, and none of its accounts can have the same email address or Zoho ID.",
        ),
      },
    })
    if (!('saved' in outcome)) return
    onClose()
    queries.removeQueries({ queryKey: accountQueries(client, place).account.queryKey.slice(0, 4) })
    for (const of of [place.resellerId, resellerId]) {
      queries.removeQueries({ queryKey: accountsKey(of) })
      refetchInsights(queries, of)
    }
    await router.navigate({ to: `/resellers/${resellerId}/accounts/${place.accountId}` })
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Move {name}', { name: account.name })}
      submit={t('Move account')}
      danger
      changed={form.changed}
      valid={form.values.resellerId !== ''}
      busy={form.busy}
      onSubmit={form.submit(move)}
    >
      <SearchSelect
        label={t('New reseller')}
        value={form.values.resellerId}
        valueLabel={names.get(form.values.resellerId) ?? ''}
        placeholder={t('Select a reseller')}
        searchHint={t('Search resellers')}
        options={options}
        onChange={(resellerId) => form.choose('resellerId', resellerId)}
      />
      <ul className="list-disc space-y-1 ps-5 text-muted">
        <li>{t('Users, cameras and recordings move with the account.')}</li>
        <li>{t('Staff of the current reseller lose access to it, and open support access ends.')}</li>
        <li>{t('The new reseller must have the same package.')}</li>
        <li>{t("Customers see the new reseller's brand and sign in at its domains.")}</li>
      </ul>
    </FormDialog>
  )
}

/** Moves the account to another reseller of the same distributor. */
export function MoveAccount(props: MoveProps) {
  const t = useText()
  const [asking, setAsking] = useState(false)
  return (
    <Card title={t('Move account')} description={t('Transfer this account to another reseller.')}>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {t('Move account')}
      </Button>
      {asking ? <MoveDialog {...props} onClose={() => setAsking(false)} /> : null}
    </Card>
  )
}
