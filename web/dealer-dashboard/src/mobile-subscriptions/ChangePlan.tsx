import { type MobileSubscription, patchMobileSubscription, skuProblem } from '@sightline/contract/mobile-subscriptions'
import { FormDialog, type Rules, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { type AccountParams, mobileSubscriptionsQuery } from './mobile-subscription-queries.ts'
import { useText } from './text.ts'

interface Plan extends Record<string, string> {
  readonly sku: string
}

const rules: Rules<Plan> = { sku: (text) => skuProblem(text.trim()) }

interface ChangePlanProps {
  place: AccountParams
  subscription: MobileSubscription
  onClose: () => void
}

/** Another plan for the same SIM card. */
export function ChangePlan({ place, subscription, onClose }: ChangePlanProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const { mobileSubscriptionId } = subscription
  const form = useForm<Plan>({ sku: subscription.sku }, rules, t.message)
  const change = async ({ sku }: Plan) => {
    const call = { params: { ...place, mobileSubscriptionId }, body: { sku: sku.trim() } }
    const outcome = await save(() => client.call(patchMobileSubscription, call), {
      success: t('Mobile plan changed'),
      form: { fields: ['sku'], refuse: form.refuse },
    })
    void queries.invalidateQueries({ queryKey: mobileSubscriptionsQuery(client, place).queryKey })
    if ('saved' in outcome) onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Change plan')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(change)}
    >
      <TextField
        label={t('SKU')}
        hint={t('The article number of the mobile plan')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...form.field('sku')}
      />
    </FormDialog>
  )
}
