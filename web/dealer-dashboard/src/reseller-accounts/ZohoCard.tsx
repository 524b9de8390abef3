import { type Account, putZohoId } from '@sightline/contract/reseller-accounts'
import { type Rules, TextField, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useSave } from '@sightline/shell'
import { type AccountIds, refetchAccount } from './account-queries.ts'
import { useText } from './text.ts'

interface Zoho extends Record<string, string> {
  readonly zohoId: string
}

const rules: Rules<Zoho> = {
  zohoId: (text) =>
    text === '' || /^[0-9A-Za-z-]{1,64}$/.test(text) ? undefined : 'Use letters, digits and hyphens, at most 64',
}

/** The account's customer id in Zoho. */
export function ZohoCard({ account, place }: { account: Account; place: AccountIds }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const form = useForm<Zoho>({ zohoId: account.zohoId ?? '' }, rules, t.message)
  const put = async ({ zohoId }: Zoho) => {
    const body = { zohoId: zohoId === '' ? null : zohoId }
    const outcome = await save(() => client.call(putZohoId, { params: place, body }), {
      success: t(zohoId === '' ? 'Zoho ID removed' : 'Zoho ID saved'),
      messages: { 6: t("This Zoho ID isn't valid, or another account of this reseller has it.") },
      form: { fields: ['zohoId'], fieldOfCode: { 6: 'zohoId' }, refuse: form.refuse },
    })
    if ('saved' in outcome) refetchAccount(queries, place)
  }
  return (
    <SaveCard
      title={t('Zoho')}
      description={t('Links this account to a customer in Zoho, for billing.')}
      form={form}
      onSave={put}
    >
      <div className="sm:max-w-sm">
        <TextField
          label={t('Zoho ID')}
          optional={t('optional')}
          hint={t('Leave empty to remove the link.')}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          {...form.field('zohoId')}
        />
      </div>
    </SaveCard>
  )
}
