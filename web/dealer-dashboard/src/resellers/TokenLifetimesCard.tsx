import { patchResellerTheme } from '@sightline/contract/resellers'
import type { TokenLifetimes } from '@sightline/contract/theme'
import { type Rules, TextField, useForm } from '@sightline/kit'
import { SaveCard, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../shell/Gate.tsx'
import { useText } from '../text.ts'
import { themeQuery } from './reseller-queries.ts'

/** Empty: the default, which is also the maximum. */
interface Editable extends Record<string, string> {
  readonly accessMinutes: string
  readonly refreshDays: string
}

const isWithin = (text: string, least: number, most: number): boolean =>
  text === '' || (/^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most)
const rules: Rules<Editable> = {
  accessMinutes: (text) =>
    isWithin(text, 5, 720) ? undefined : 'Enter a whole number from 5 to 720, or leave this empty',
  refreshDays: (text) =>
    isWithin(text, 1, 3650) ? undefined : 'Enter a whole number from 1 to 3650, or leave this empty',
}
const textOf = (lifetime: number | undefined): string => (lifetime === undefined ? '' : String(lifetime))

interface CardProps {
  resellerId: string
  lifetimes: TokenLifetimes
}

function LifetimesForm({ resellerId, lifetimes }: CardProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const saved: Editable = {
    accessMinutes: textOf(lifetimes.accessMinutes),
    refreshDays: textOf(lifetimes.refreshDays),
  }
  const form = useForm(saved, rules, t.message)
  const change = async ({ accessMinutes, refreshDays }: Editable) => {
    const chosen = {
      ...(accessMinutes === '' ? {} : { accessMinutes: Number(accessMinutes) }),
      ...(refreshDays === '' ? {} : { refreshDays: Number(refreshDays) }),
    }
    const body = { tokenLifetimes: Object.keys(chosen).length === 0 ? null : chosen }
    const outcome = await save(() => client.call(patchResellerTheme, { params: { resellerId }, body }), {
      success: t('Session length saved'),
      form: { fields: ['accessMinutes', 'refreshDays'], refuse: form.refuse },
    })
    if ('saved' in outcome) queries.setQueryData(themeQuery(client, resellerId).queryKey, outcome.saved)
  }
  const number = { inputMode: 'numeric' as const, autoComplete: 'off' }
  return (
    <SaveCard
      title={t('Session length')}
      description={t("Applies to new sign-ins on this brand's domains. Leave a field empty to use the maximum.")}
      form={form}
      onSave={change}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t('Browsers (minutes)')}
          hint={t('5 to 720 minutes (12 hours). After this time, users must sign in again.')}
          {...number}
          {...form.field('accessMinutes')}
        />
        <TextField
          label={t('Connected apps (days)')}
          hint={t('1 to 3650 days. If empty, apps stay connected until the user signs out.')}
          {...number}
          {...form.field('refreshDays')}
        />
      </div>
    </SaveCard>
  )
}

/** How long sign-ins at a brand's hosts last (docs/decisions/0037). */
export function TokenLifetimesCard({ resellerId }: { resellerId: string }) {
  const { client } = useApplication()
  const query = useQuery(themeQuery(client, resellerId))
  return (
    <Loaded query={query}>
      {({ tokenLifetimes = {} }) => <LifetimesForm resellerId={resellerId} lifetimes={tokenLifetimes} />}
    </Loaded>
  )
}
