import { addMobileSubscription, iccidProblem, normalIccid, skuProblem } from '@sightline/contract/mobile-subscriptions'
import { FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { type AccountParams, mobileSubscriptionsQuery } from './mobile-subscription-queries.ts'
import { useText } from './text.ts'

interface NewCard extends Record<string, string> {
  readonly iccid: string
  readonly sku: string
}

const rules: Rules<NewCard> = {
  iccid: (text) => iccidProblem(normalIccid(text)),
  sku: (text) => skuProblem(text.trim()),
}

/** Adds a SIM card with its plan to the account. */
export function AddMobileSubscription({ place, onClose }: { place: AccountParams; onClose: () => void }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const form = useForm<NewCard>({ iccid: '', sku: '' }, rules, t.message)
  const add = async ({ iccid, sku }: NewCard) => {
    const body = { iccid: normalIccid(iccid), sku: sku.trim() }
    const outcome = await save(() => client.call(addMobileSubscription, { params: place, body }), {
      success: t('Mobile subscription added'),
      form: { fields: ['iccid', 'sku'], fieldOfCode: { 6: 'iccid' }, refuse: form.refuse },
    })
    void queries.invalidateQueries({ queryKey: mobileSubscriptionsQuery(client, place).queryKey })
    if ('saved' in outcome) onClose()
  }
  const code = { dir: 'ltr', autoComplete: 'off', spellCheck: false, required: true } as const
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Add mobile subscription')}
      submit={t('Add mobile subscription')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(add)}
    >
      <TextField
        label={t('ICCID')}
        hint={t('The long number printed on the SIM card. It starts with 89.')}
        inputMode="numeric"
        {...code}
        {...form.field('iccid')}
      />
      <TextField
        label={t('SKU')}
        hint={t('The article number of the mobile plan')}
        autoCapitalize="none"
        {...code}
        {...form.field('sku')}
      />
    </FormDialog>
  )
}
